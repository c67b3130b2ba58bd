package dev.sluice.local.node.process;

import java.nio.file.Path;
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

  /** Without the environment, which may hold secrets. */
  @Override
  public String toString() {
    return command + " in " + directory;
  }
}
