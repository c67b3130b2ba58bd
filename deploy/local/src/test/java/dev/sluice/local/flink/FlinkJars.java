package dev.sluice.local.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Jars of a Flink that does not exist, each with the one entry that counts. */
final class FlinkJars {

  static final String KUBERNETES_UTILS = "org/apache/flink/kubernetes/utils/KubernetesUtils.class";

  private FlinkJars() {}

  /**
   * @param kubernetesUtils the class file in it
   */
  static Path kubernetes(Path folder, byte[] kubernetesUtils) throws IOException {
    return jar(folder.resolve("flink-kubernetes-9.8.1.jar"), KUBERNETES_UTILS, kubernetesUtils);
  }

  /**
   * @param content of the jar that it carries
   */
  static Path rpcSystem(Path folder, String content) throws IOException {
    return jar(
        folder.resolve("flink-rpc-akka-loader-9.8.7.jar"),
        "flink-rpc-akka.jar",
        content.getBytes(UTF_8));
  }

  /** The jars without which no home is made, in a folder of their own. */
  static Path all(Path folder) throws IOException {
    Path jars = Files.createDirectories(folder.resolve("jars"));
    kubernetes(jars, "/opt/flink/pod-template".getBytes(UTF_8));
    rpcSystem(jars, "pekko");
    return jars;
  }

  private static Path jar(Path jar, String entry, byte[] content) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(entry));
      out.write(content);
    }
    return jar;
  }
}
