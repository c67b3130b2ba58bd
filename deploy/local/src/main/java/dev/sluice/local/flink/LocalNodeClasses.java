package dev.sluice.local.flink;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.local.node.container.ImagePullException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * What of Flink must be different on the local node, in a jar that goes before Flink's own.
 *
 * <p>A JobManager of native mode reads the pod template of its TaskManagers from {@code
 * /opt/flink/pod-template}, a path compiled into {@code KubernetesUtils} (Flink 1.20 to 2.3), and
 * makes them without it when there is no such file. The local node has no {@code /opt/flink}; but
 * processes run in the folder that stands for it, so there the path is relative.
 *
 * <p>{@link SharedRpcSystemLoader} lets Flink start quicker. It puts Flink's own Scala on the class
 * path, where a job's code must not find it before the Scala that the job brings: {@code scala.} is
 * taken from the packages that Flink's {@code CoreOptions} never loads from a job's jar.
 */
final class LocalNodeClasses {

  /** A text in a class of Flink, and another of the same length, so that nothing else changes. */
  record Change(String jar, String classFile, String text, String changed) {

    byte[] in(byte[] original) {
      return new String(original, ISO_8859_1).replace(text, changed).getBytes(ISO_8859_1);
    }
  }

  static final Change POD_TEMPLATE =
      new Change(
          "flink-kubernetes-",
          "org/apache/flink/kubernetes/utils/KubernetesUtils.class",
          "/opt/flink/pod-template",
          "./././././/pod-template");

  /** The name of no class begins with the other. */
  static final Change SCALA =
      new Change(
          "flink-core-", "org/apache/flink/configuration/CoreOptions.class", "scala.", "scala:");

  static final List<Change> CHANGES = List.of(POD_TEMPLATE, SCALA);

  private static final String RPC_SYSTEM = "flink-rpc-akka.jar";

  /** By name: it can be loaded in Flink's processes only. */
  private static final String LOADER = "dev.sluice.local.flink.SharedRpcSystemLoader";

  private static final String LOADERS =
      "META-INF/services/org.apache.flink.runtime.rpc.RpcSystemLoader";

  private LocalNodeClasses() {}

  /**
   * Makes the jar.
   *
   * @param jars Flink's own
   * @throws ImagePullException when this Flink has a text elsewhere
   */
  static void lay(List<Path> jars, Path target) throws IOException, ImagePullException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(target))) {
      for (Change change : CHANGES) {
        Path jar = named(change.jar(), jars);
        byte[] original = entry(jar, change.classFile());
        byte[] changed = change.in(original);
        if (Arrays.equals(changed, original)) {
          throw new ImagePullException(
              "%s has no %s in %s: the local node does not know this Flink"
                  .formatted(jar, change.text(), change.classFile()),
              null);
        }
        put(out, change.classFile(), changed);
      }
      String loader = LOADER.substring(LOADER.lastIndexOf('.') + 1) + ".class";
      put(out, LOADER.replace('.', '/') + ".class", ImageFiles.resource(loader));
      put(out, LOADERS, LOADER.getBytes(UTF_8));
    }
  }

  /**
   * Takes Pekko and Scala out of the jar in which Flink carries them: 20 MB, which the small heap
   * of a local node cannot hold at once.
   */
  static void layRpcSystem(List<Path> jars, Path lib) throws IOException, ImagePullException {
    Path loader = named("flink-rpc-akka-loader-", jars);
    try (JarFile file = new JarFile(loader.toFile());
        InputStream content = file.getInputStream(entry(file, loader, RPC_SYSTEM))) {
      Files.copy(content, lib.resolve(RPC_SYSTEM));
    }
  }

  private static Path named(String start, List<Path> jars) throws ImagePullException {
    for (Path jar : jars) {
      if (jar.getFileName().toString().matches(start + "\\d.*")) {
        return jar;
      }
    }
    throw new ImagePullException(
        "Maven resolved no %s*, only %s"
            .formatted(start, jars.stream().map(Path::getFileName).toList()),
        null);
  }

  private static byte[] entry(Path jar, String name) throws IOException, ImagePullException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getInputStream(entry(file, jar, name)).readAllBytes();
    }
  }

  private static JarEntry entry(JarFile file, Path jar, String name) throws ImagePullException {
    JarEntry entry = file.getJarEntry(name);
    if (entry == null) {
      throw new ImagePullException(
          "%s has no %s: the local node does not know this Flink".formatted(jar, name), null);
    }
    return entry;
  }

  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
  }
}
