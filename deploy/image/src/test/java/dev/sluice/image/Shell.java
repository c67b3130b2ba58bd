package dev.sluice.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the machine that end soon. */
final class Shell {

  private Shell() {}

  /** What it says on its standard output; an error when it fails. */
  static String run(String... command) {
    try {
      Process process = start(command);
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.onExit().join().exitValue() != 0) {
        throw new AssertionError(List.of(command) + " failed: " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it is there and ends with 0. */
  static boolean succeeds(String... command) {
    try {
      Process process = start(command);
      process.getInputStream().readAllBytes();
      return process.onExit().join().exitValue() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
        .start();
  }
}
