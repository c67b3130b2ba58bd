package dev.sluice.image;

import dev.sluice.controller.ControllerMain;
import dev.sluice.worker.WorkerMain;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The entry point of the image: the first argument chooses the process. Wrong arguments are told
 * with what is allowed, and end it with 2 before anything is started; the processes themselves end
 * with the codes of {@link dev.sluice.bootstrap.ExitCode}.
 */
@Command(
    name = "sluice",
    description = "Runs one of the two processes of Sluice until SIGTERM.",
    synopsisSubcommandLabel = "(controller | worker)")
public final class Main {

  private final Program controller;
  private final Program worker;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Say what is allowed.")
  private boolean help;

  /** A process: returns when it has ended. */
  @FunctionalInterface
  interface Program {
    /** Runs it. */
    void run(String[] arguments) throws InterruptedException;
  }

  Main(Program controller, Program worker) {
    this.controller = controller;
    this.worker = worker;
  }

  /** Runs the process that the first argument names. */
  public static void main(String[] arguments) {
    System.exit(new Main(ControllerMain::main, WorkerMain::main).run(arguments));
  }

  /** Returns its exit code. */
  int run(String... arguments) {
    return new CommandLine(this)
        .setParameterExceptionHandler(
            (wrong, given) -> {
              CommandLine command = wrong.getCommandLine();
              command.getErr().println("sluice: " + wrong.getMessage());
              command.usage(command.getErr());
              return CommandLine.ExitCode.USAGE;
            })
        .execute(arguments);
  }

  @Command(description = "Watch the resources and start their operations.")
  void controller() throws InterruptedException {
    controller.run(new String[0]);
  }

  @Command(description = "Carry the operations out.")
  void worker() throws InterruptedException {
    worker.run(new String[0]);
  }
}
