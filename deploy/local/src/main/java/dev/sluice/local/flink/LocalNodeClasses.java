package dev.sluice.local.flink;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.local.node.image.ImagePullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  /** As long as the other, so that nothing else in the class file changes. */
  private static final String PATH_HERE = "./././././/pod-template";

  private LocalNodeClasses() {}

  /**
   * Makes the jar.
   *
   * @param flink the jar with Flink's own class
   * @throws ImagePullException when this Flink has its path elsewhere
   */
  static void lay(Path flink, Path target) throws IOException, ImagePullException {
    try (JarFile jar = new JarFile(flink.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(target))) {
      JarEntry entry = jar.getJarEntry(CLASS);
      byte[] original = entry == null ? new byte[0] : jar.getInputStream(entry).readAllBytes();
      byte[] changed = withRelativePath(original);
      if (Arrays.equals(changed, original)) {
        throw new ImagePullException(
            "%s has no path %s in %s: the local node does not know this Flink"
                .formatted(flink, PATH, CLASS),
            null);
      }
      out.putNextEntry(new JarEntry(CLASS));
      out.write(changed);
    }
  }

  static byte[] withRelativePath(byte[] classFile) {
    return new String(classFile, ISO_8859_1).replace(PATH, PATH_HERE).getBytes(ISO_8859_1);
  }
}
