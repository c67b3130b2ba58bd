package dev.sluice.local.cluster;

import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Little scripts in the cluster's {@code bin}: kubectl and temporal, pointed at this cluster. */
public final class Wrappers {

  private Wrappers() {}

  /**
   * The command that runs a tool against a cluster.
   *
   * @throws ClusterException when that cluster was never up
   */
  public static List<String> command(ClusterConfig config, Tool tool, List<String> arguments) {
    Path script = of(config, tool);
    if (!Files.isExecutable(script)) {
      throw new ClusterException(
          "there is no cluster in " + config.home() + ": './sluice up' makes one");
    }
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    return command;
  }

  private static Path of(ClusterConfig config, Tool tool) {
    return config.home().resolve("bin").resolve(tool.binary());
  }

  static void lay(ClusterConfig config) throws IOException {
    PrivateFiles.createFolder(config.home().resolve("bin"));
    script(config, Tool.KUBECTL, "KUBECONFIG", config.kubeconfig().toString());
    script(config, Tool.TEMPORAL, "TEMPORAL_ADDRESS", config.temporalAddress());
  }

  private static void script(ClusterConfig config, Tool tool, String variable, String value)
      throws IOException {
    Path file = of(config, tool);
    PrivateFiles.write(
        file,
        """
        #!/bin/sh
        %s='%s' exec '%s' "$@"
        """
            .formatted(variable, value, config.cache().binary(tool)));
    if (!Files.isExecutable(file) && !file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }
}
