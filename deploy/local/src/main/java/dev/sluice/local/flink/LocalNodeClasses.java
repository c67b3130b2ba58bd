package dev.sluice.local.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * The one class of Flink that must be another one on the local node, in a jar that goes before
 * Flink's own.
 *
 * <p>A JobManager of native mode reads the pod template of its TaskManagers from {@code
 * /opt/flink/pod-template}, a path compiled into {@code KubernetesUtils} (Flink 1.20 to 2.3), and
 * makes them without it when there is no such file. The local node has no {@code /opt/flink}; but
 * processes run in the folder that stands for it, so there the path is relative.
 */
final class LocalNodeClasses {

  private static final String CLASS = "org/apache/flink/kubernetes/utils/KubernetesUtils.class";
  private static final String PATH = "/opt/flink/pod-template";
  private static final String PATH_HERE = "pod-template";

  private LocalNodeClasses() {}

  /** Whether {@link #lay} has nothing to do. */
  static boolean areLaid(FlinkHome home) {
    return Files.isRegularFile(home.localNodeClasses());
  }

  /**
   * Makes the jar, unless it is there.
   *
   * @throws FlinkHomeException when this Flink has its path elsewhere
   */
  static void lay(FlinkHome home) throws IOException {
    Optional<Path> flink = areLaid(home) ? Optional.empty() : kubernetesJar(home);
    if (flink.isEmpty()) {
      return;
    }
    Path draft = Files.createTempFile(home.folder(), ".local-node", ".jar");
    try (JarFile jar = new JarFile(flink.get().toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(draft))) {
      JarEntry entry = jar.getJarEntry(CLASS);
      if (entry == null) {
        throw moved(flink.get());
      }
      try (InputStream in = jar.getInputStream(entry)) {
        byte[] original = in.readAllBytes();
        byte[] changed = withConstant(original, PATH, PATH_HERE);
        if (changed.length == original.length) {
          throw moved(flink.get());
        }
        out.putNextEntry(new JarEntry(CLASS));
        out.write(changed);
        out.closeEntry();
      }
    }
    Files.move(draft, home.localNodeClasses(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * A class file with another text for one of its constants (see "The class File Format" in the
   * Java Virtual Machine Specification, 4.4). Nothing else in it depends on a text's length.
   */
  static byte[] withConstant(byte[] classFile, String text, String replacement) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(in.readNBytes(8)); // magic number and version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      switch (tag) {
        case 1 -> {
          String found = in.readUTF();
          out.writeUTF(found.equals(text) ? replacement : found);
        }
        case 7, 8, 16, 19, 20 -> out.write(in.readNBytes(2));
        case 15 -> out.write(in.readNBytes(3));
        case 3, 4, 9, 10, 11, 12, 17, 18 -> out.write(in.readNBytes(4));
        case 5, 6 -> {
          out.write(in.readNBytes(8));
          i++; // long and double take two places
        }
        default -> throw new IOException("no class file: it has a constant of kind " + tag);
      }
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  private static Optional<Path> kubernetesJar(FlinkHome home) throws IOException {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(home.lib(), "flink-kubernetes-*.jar")) {
      for (Path jar : jars) {
        return Optional.of(jar);
      }
    }
    return Optional.empty();
  }

  private static FlinkHomeException moved(Path jar) {
    return new FlinkHomeException(
        jar + " has no path " + PATH + " in " + CLASS + ": the local node does not know this Flink",
        null);
  }
}
