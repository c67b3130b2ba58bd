package dev.sluice.local.node.container;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.image.Image;
import io.fabric8.kubernetes.api.model.Container;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A container's command line: the image's entry point unless the container has a command. */
final class Commands {
  private Commands() {}

  /**
   * @param env for the references in it
   * @param paths applied to what the pod says, not to what the image says
   */
  static List<String> of(Container container, Image image, Map<String, String> env, PathMap paths)
      throws StartProblem {
    boolean own = container.getCommand() != null && !container.getCommand().isEmpty();
    List<String> command = new ArrayList<>();
    for (String word : own ? container.getCommand() : image.entryPoint()) {
      String expanded = Expansion.expand(word, env);
      command.add(own ? paths.turn(expanded) : expanded);
    }
    if (container.getArgs() != null) {
      container.getArgs().forEach(arg -> command.add(paths.turn(Expansion.expand(arg, env))));
    }
    if (command.isEmpty()) {
      throw new StartProblem(
          "CreateContainerError",
          "no command specified, and the image " + container.getImage() + " has none");
    }
    if (image instanceof FlinkImage flink) {
      command.set(0, shim(command.get(0), flink.shims()));
    }
    return command;
  }

  /** {@code /docker-entrypoint.sh} lies in the image's root; here it is one of the scripts. */
  private static String shim(String program, Path shims) {
    Path name = Path.of(program).getFileName();
    Path shim = name == null ? shims : shims.resolve(name.toString());
    return program.startsWith("/") && Files.isRegularFile(shim) ? shim.toString() : program;
  }
}
