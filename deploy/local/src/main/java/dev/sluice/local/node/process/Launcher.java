package dev.sluice.local.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts container processes in sessions of their own, under a small shell that outlives the node
 * and writes the exit code to a file. Starting the same attempt twice starts one process.
 */
public final class Launcher {
  private final Path wrapper;
  private final Path events;

  /**
   * @param wrapper the {@code container.sh} to use
   * @param events a folder: the file named like the pod's uid is written when one of its containers
   *     starts or ends
   */
  public Launcher(Path wrapper, Path events) {
    this.wrapper = wrapper;
    this.events = events;
  }

  /** Returns once the process is on its way; {@link Attempt#look} says when it runs. */
  public void start(String podUid, Attempt attempt, Launch launch)
      throws IOException, InterruptedException {
    Files.createDirectories(attempt.dir());
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setsid", "--fork", "/bin/sh", wrapper.toString()));
    command.add(attempt.dir().toString());
    command.add(events.resolve(podUid).toString());
    command.addAll(launch.command());
    ProcessBuilder builder = new ProcessBuilder(command).directory(launch.directory().toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(launch.env());
    int code = builder.start().waitFor();
    if (code != 0) {
      throw new IOException("setsid could not start " + launch.command().get(0) + ": " + code);
    }
  }
}
