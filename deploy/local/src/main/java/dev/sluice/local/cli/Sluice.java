package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.flink.FlinkHomeException;
import dev.sluice.local.parts.PartsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code sluice}. User errors end it with their message and exit code 1. */
@Command(
    name = "sluice",
    description = "A whole Flink platform on this machine: Kubernetes, Temporal, Flink, Sluice.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      ResetCommand.class,
      KubectlCommand.class,
      TemporalCommand.class,
      LogsCommand.class,
      PartsCommand.class
    },
    footerHeading = "%nVariables:%n",
    footer = {
      "  SLUICE_HOME         the cluster's state (default ~/.local/state/sluice)",
      "  SLUICE_CACHE        binaries and Flink homes (default ~/.cache/sluice)",
      "  SLUICE_PORT_BASE    first of ten ports on 127.0.0.1 (default 17000)",
      "  SLUICE_POD_NETWORK  addresses of pods (default 127.0.1)"
    })
public final class Sluice {

  private static final Set<String> PASSTHROUGH = Set.of("kubectl", "temporal");

  private Sluice() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Sluice());
    // all that follows these belongs to the other program, options too
    commandLine.getSubcommands().entrySet().stream()
        .filter(subcommand -> PASSTHROUGH.contains(subcommand.getKey()))
        .forEach(
            subcommand ->
                subcommand
                    .getValue()
                    .setStopAtPositional(true)
                    .setUnmatchedOptionsArePositionalParams(true));
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (!isForPeople(exception)) {
            throw exception;
          }
          command.getErr().println("sluice: " + said(exception));
          return 1;
        });
    return commandLine;
  }

  /** What could not be done, and why. */
  static String said(Exception exception) {
    Throwable cause = exception instanceof UncheckedIOException ? exception.getCause() : null;
    return cause == null
        ? String.valueOf(exception.getMessage())
        : exception.getMessage() + ": " + cause.getMessage();
  }

  private static boolean isForPeople(Exception exception) {
    return exception instanceof ClusterException
        || exception instanceof PartsException
        || exception instanceof FlinkHomeException
        || exception instanceof UncheckedIOException
        || exception instanceof IOException;
  }
}
