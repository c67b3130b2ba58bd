package dev.sluice.local.cli;

import dev.sluice.local.cluster.Wrappers;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** kubectl for this cluster. The launcher calls the wrapper itself when there is one. */
@Command(name = "kubectl", description = "Run kubectl as the cluster's administrator.")
final class KubectlCommand implements Callable<Integer> {

  @Parameters(arity = "0..*")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    return Passthrough.run(Wrappers.command(Session.config(), Tool.KUBECTL, arguments));
  }
}
