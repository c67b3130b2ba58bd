package dev.sluice.local.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The {@code mvn} command, with the user's settings and local repository. */
final class Maven {

  private final String command;

  /**
   * @param command {@code mvn}, or the path of one
   */
  Maven(String command) {
    this.command = command;
  }

  /**
   * Runs one goal of one pom. What is in the local repository needs no network.
   *
   * @param folder where the pom is; it must be in no project, since Maven reads {@code .mvn} of the
   *     folders above
   * @throws FlinkHomeException with the end of what Maven said
   */
  void run(Path folder, String goal, Map<String, String> properties)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(command, "-B", "-f", "pom.xml", goal));
    new TreeMap<>(properties).forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(arguments)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // set by an outer Maven for itself
    builder
        .environment()
        .keySet()
        .removeAll(List.of("MAVEN_CMD_LINE_ARGS", "MAVEN_PROJECTBASEDIR"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = start(builder);
    try {
      if (process.waitFor() != 0) {
        List<String> said = Files.readAllLines(log);
        throw new FlinkHomeException(
            "'%s' failed in %s. Is a Maven repository reachable (~/.m2/settings.xml)? Run it again when it is: what was downloaded is kept.%n%s"
                .formatted(
                    String.join(" ", arguments),
                    folder,
                    String.join("\n", said.subList(Math.max(0, said.size() - 20), said.size()))),
            null);
      }
    } finally {
      process.destroy();
    }
  }

  private Process start(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new FlinkHomeException(
          "Cannot run '" + command + "': install Maven 3.8 or newer and put it on PATH.", e);
    }
  }
}
