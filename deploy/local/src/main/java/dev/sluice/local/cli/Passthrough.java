package dev.sluice.local.cli;

import java.io.IOException;
import java.util.List;

/** Runs another program on this terminal, as if it had been called directly. */
final class Passthrough {

  private Passthrough() {}

  /** The program's exit code. */
  static int run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      return 130;
    }
  }
}
