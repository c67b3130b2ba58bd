package dev.sluice.local.cli;

import dev.sluice.local.cluster.Wrappers;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Temporal's command line for this cluster. */
@Command(name = "temporal", description = "Run Temporal's command line against the cluster.")
final class TemporalCommand implements Callable<Integer> {

  @Parameters(arity = "0..*")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    return Passthrough.run(Wrappers.command(Session.config(), Tool.TEMPORAL, arguments));
  }
}
