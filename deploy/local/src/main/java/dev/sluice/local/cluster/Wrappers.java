package dev.sluice.local.cluster;

import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Little scripts in the cluster's {@code bin}: kubectl and temporal, pointed at this cluster. */
public final class Wrappers {
  private Wrappers() {}

  /**
   * The script that runs a tool against a cluster; {@code ./sluice kubectl} runs it, too.
   *
   * @throws ClusterException when that cluster was never up
   */
  public static Path script(ClusterConfig config, Tool tool) {
    Path script = of(config, tool);
    if (!Files.isExecutable(script)) {
      throw new ClusterException(
          "there is no cluster in " + config.home() + ": './sluice up' makes one");
    }
    return script;
  }

  private static Path of(ClusterConfig config, Tool tool) {
    return config.home().resolve("bin").resolve(tool.binary());
  }

  static void writeFiles(ClusterConfig config) throws IOException {
    Trees.createPrivateFolder(config.home().resolve("bin"));
    String kubeconfig = "KUBECONFIG='%s'".formatted(config.kubeconfig());
    script(config, Tool.KUBECTL, PartName.KUBE_APISERVER, kubeconfig);
    String address = "TEMPORAL_ADDRESS='%s'".formatted(config.temporalAddress());
    script(config, Tool.TEMPORAL, PartName.TEMPORAL, address);
  }

  /**
   * Says when the part is down, and runs the tool all the same: what it says then may be misleading
   * where another cluster has the ports.
   */
  private static void script(ClusterConfig config, Tool tool, PartName part, String variable)
      throws IOException {
    Path file = of(config, tool);
    Trees.writePrivate(
        file,
        """
        #!/bin/sh
        home='%s'
        pid=$(sed -n 's/^pid=//p' '%s' 2>/dev/null)
        [ -n "$pid" ] && [ -d "/proc/$pid" ] ||
          echo "sluice: %s of the cluster in $home does not run: './sluice up' starts it" >&2
        %s exec '%s' "$@"
        """
            .formatted(
                config.home(),
                Part.record(config, part),
                part,
                variable,
                config.cache().binary(tool)));
    if (!Files.isExecutable(file) && !file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }
}
