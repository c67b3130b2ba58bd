package dev.sluice.local.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything needed to start a container's process.
 *
 * @param command program and arguments
 * @param env the whole environment; nothing is inherited
 * @param directory the working directory
 */
public record Launch(List<String> command, Map<String, String> env, Path directory) {
  public Launch {
    command = List.copyOf(command);
    env = Map.copyOf(env);
  }

  /**
   * Starts the process in a session of its own, under a small shell that outlives the node and
   * writes the exit code to a file. Starting the same attempt twice starts one process. Returns
   * once it is on its way; {@link Attempt#look} says when it runs.
   *
   * @param wrapper the {@code container.sh} to use
   * @param event a file that is written when the process starts or ends
   */
  public void start(Path wrapper, Path event, Attempt attempt)
      throws IOException, InterruptedException {
    Files.createDirectories(attempt.dir());
    List<String> all = new ArrayList<>();
    all.addAll(List.of("setsid", "--fork", "/bin/sh", wrapper.toString()));
    all.addAll(List.of(attempt.dir().toString(), event.toString()));
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all).directory(directory.toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(env);
    int code = builder.start().waitFor();
    if (code != 0) {
      throw new IOException("setsid could not start " + command.get(0) + ": " + code);
    }
  }

  /** Without the environment, which may hold secrets. */
  @Override
  public String toString() {
    return command + " in " + directory;
  }
}
