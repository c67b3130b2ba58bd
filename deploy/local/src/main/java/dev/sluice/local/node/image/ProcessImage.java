package dev.sluice.local.node.image;

import java.util.List;
import java.util.Map;

/**
 * An image that is a command of this machine, such as the controller's JVM.
 *
 * @param command the entry point: used when the container gives no {@code command}; the container's
 *     {@code args} follow it
 * @param env the image's own environment; the container's {@code env} wins over it
 */
public record ProcessImage(List<String> command, Map<String, String> env) implements Image {
  public ProcessImage {
    command = command == null ? List.of() : List.copyOf(command);
    env = env == null ? Map.of() : Map.copyOf(env);
  }

  @Override
  public List<String> entryPoint() {
    return command;
  }
}
