package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.PartName;
import dev.sluice.local.cluster.Wrappers;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The log of a part, or of the controller or worker. */
@Command(name = "logs", description = "Show the log of a part, or of 'controller' or 'worker'.")
final class LogsCommand implements Callable<Integer> {

  private static final List<String> PROGRAMS = List.of("controller", "worker");

  @Parameters(paramLabel = "PART", description = "etcd, kube-apiserver, temporal, node, ...")
  private String part = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on as the log grows.")
  private boolean follow;

  @Option(
      names = {"-n", "--lines"},
      defaultValue = "200",
      description = "How many of the last lines (default ${DEFAULT-VALUE}).")
  private int lines;

  @Override
  public Integer call() throws IOException {
    return Passthrough.run(command(Session.config()));
  }

  private List<String> command(ClusterConfig config) {
    if (PROGRAMS.contains(part)) {
      return Wrappers.command(config, Tool.KUBECTL, kubectlArguments());
    }
    Optional<PartName> name = PartName.of(part);
    if (name.isEmpty()) {
      String parts =
          Arrays.stream(PartName.values())
              .map(PartName::toString)
              .collect(Collectors.joining(", "));
      throw new ClusterException(
          "there is no part '%s'. There are: %s, %s"
              .formatted(part, parts, String.join(", ", PROGRAMS)));
    }
    List<String> command = new ArrayList<>(List.of("tail", "-n", Integer.toString(lines)));
    if (follow) {
      command.add("-F");
    }
    command.add(config.log(name.get()).toString());
    return command;
  }

  private List<String> kubectlArguments() {
    List<String> arguments =
        new ArrayList<>(
            List.of("logs", "-n", "sluice-system", "deployment/sluice-" + part, "--tail=" + lines));
    if (follow) {
      arguments.add("--follow");
    }
    return arguments;
  }
}
