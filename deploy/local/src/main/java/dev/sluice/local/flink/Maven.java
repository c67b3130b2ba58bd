package dev.sluice.local.flink;

import dev.sluice.local.parts.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The {@code mvn} command, with the user's settings and local repository. */
final class Maven {

  private static final int KEPT_LINES = 20;

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
  void run(Path folder, String goal, Map<String, String> properties, Progress.Step step)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(command, "-B", "-f", "pom.xml", goal));
    new TreeMap<>(properties).forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    ProcessBuilder builder =
        new ProcessBuilder(arguments).directory(folder.toFile()).redirectErrorStream(true);
    // set by an outer Maven for itself
    builder
        .environment()
        .keySet()
        .removeAll(List.of("MAVEN_CMD_LINE_ARGS", "MAVEN_PROJECTBASEDIR"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = start(builder);
    try {
      process.getOutputStream().close();
      String tail = follow(process, step);
      if (process.waitFor() != 0) {
        throw new FlinkHomeException(
            "'%s' failed in %s. Is a Maven repository reachable (~/.m2/settings.xml)? Run it again when it is: what was downloaded is kept.%n%s"
                .formatted(String.join(" ", arguments), folder, tail),
            null);
      }
    } finally {
      process.destroy();
    }
  }

  private Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new FlinkHomeException(
          "Cannot run '" + command + "': install Maven 3.8 or newer and put it on PATH.", e);
    }
  }

  /** Counts downloads; returns the last lines. */
  private static String follow(Process process, Progress.Step step) throws IOException {
    Deque<String> tail = new ArrayDeque<>();
    int downloads = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("Downloaded from")) {
          step.detail("%d files downloaded".formatted(++downloads));
        }
        tail.addLast(line);
        if (tail.size() > KEPT_LINES) {
          tail.removeFirst();
        }
      }
    }
    return String.join("\n", tail);
  }
}
