package dev.sluice.local.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Jars of a Flink that does not exist, each with the one entry that counts. */
final class FlinkJars {

  private FlinkJars() {}

  /**
   * @param classFile what stands for the class that is changed in it
   */
  static Path of(LocalNodeClasses.Change change, Path folder, byte[] classFile) throws IOException {
    return jar(folder.resolve(change.jar() + "9.8.1.jar"), change.classFile(), classFile);
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
    for (LocalNodeClasses.Change change : LocalNodeClasses.CHANGES) {
      of(change, jars, change.text().getBytes(UTF_8));
    }
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
