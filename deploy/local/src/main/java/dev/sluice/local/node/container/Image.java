package dev.sluice.local.node.container;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What stands behind an image name: something the local node can start as a process. */
public sealed interface Image permits Image.Program, FlinkImage {

  /** What to run when the container has no {@code command}. */
  List<String> command();

  /**
   * Makes the image's files in a container's root, which is empty.
   *
   * @return the image's home, in which the process starts
   */
  default Path populate(Path root) throws IOException {
    return root;
  }

  /**
   * The image's own environment; the container's wins over it.
   *
   * @param home what {@link #populate} made
   * @param path the PATH of this machine
   */
  Map<String, String> env(Path home, String path);

  /** Where the first word of a command lies on this machine. */
  default String program(String word) {
    return word;
  }

  /**
   * A command of this machine, such as the controller's JVM.
   *
   * @param command the entry point; the container's {@code args} follow it
   */
  record Program(List<String> command, Map<String, String> env) implements Image {
    public Program {
      command = command == null ? List.of() : List.copyOf(command);
      env = env == null ? Map.of() : Map.copyOf(env);
    }

    @Override
    public Map<String, String> env(Path home, String path) {
      return env;
    }
  }
}
