package dev.sluice.local.flink;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.local.node.container.ImagePullException;
import java.io.IOException;
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
 * <p>{@link SharedRpcSystemLoader} lets Flink start quicker.
 */
final class LocalNodeClasses {

  private static final String CLASS = "org/apache/flink/kubernetes/utils/KubernetesUtils.class";
  private static final String PATH = "/opt/flink/pod-template";

  /** As long as the other, so that nothing else in the class file changes. */
  private static final String PATH_HERE = "./././././/pod-template";

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
   * @throws ImagePullException when this Flink has its path elsewhere
   */
  static void lay(List<Path> jars, Path target) throws IOException, ImagePullException {
    Path kubernetes = named("flink-kubernetes-", jars);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(target))) {
      byte[] original = entry(kubernetes, CLASS);
      byte[] changed = withRelativePath(original);
      if (Arrays.equals(changed, original)) {
        throw new ImagePullException(
            "%s has no path %s in %s: the local node does not know this Flink"
                .formatted(kubernetes, PATH, CLASS),
            null);
      }
      put(out, CLASS, changed);
      put(out, LOADER.replace('.', '/') + ".class", rpcSystemLoader());
      put(out, LOADERS, LOADER.getBytes(UTF_8));
    }
  }

  /** Takes Pekko and Scala out of the jar in which Flink carries them. */
  static void layRpcSystem(List<Path> jars, Path lib) throws IOException, ImagePullException {
    Path loader = named("flink-rpc-akka-loader-", jars);
    Files.write(lib.resolve(RPC_SYSTEM), entry(loader, RPC_SYSTEM));
  }

  /** The class file of {@link SharedRpcSystemLoader}. */
  static byte[] rpcSystemLoader() throws IOException {
    return ImageFiles.resource(LOADER.substring(LOADER.lastIndexOf('.') + 1) + ".class");
  }

  static byte[] withRelativePath(byte[] classFile) {
    return new String(classFile, ISO_8859_1).replace(PATH, PATH_HERE).getBytes(ISO_8859_1);
  }

  private static Path named(String start, List<Path> jars) throws ImagePullException {
    for (Path jar : jars) {
      if (jar.getFileName().toString().startsWith(start)) {
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
      JarEntry entry = file.getJarEntry(name);
      if (entry == null) {
        throw new ImagePullException(
            "%s has no %s: the local node does not know this Flink".formatted(jar, name), null);
      }
      return file.getInputStream(entry).readAllBytes();
    }
  }

  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
  }
}
