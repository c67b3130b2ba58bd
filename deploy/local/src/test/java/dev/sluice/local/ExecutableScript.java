package dev.sluice.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Makes a program that a test runs. Another process writes it: a test beside this one may start a
 * process at the same moment, which for a short while has all files of this process open, and a
 * program that is open for writing cannot be run ("Text file busy").
 */
public final class ExecutableScript {

  private ExecutableScript() {}

  /** Writes it and returns when it can be run. */
  public static void write(Path file, String text) throws IOException {
    Process writer =
        new ProcessBuilder("sh", "-c", "cat > \"$0\" && chmod 755 \"$0\"", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var input = writer.getOutputStream()) {
      input.write(text.getBytes(StandardCharsets.UTF_8));
    }
    try {
      if (writer.waitFor() != 0) {
        throw new IOException("Cannot write " + file);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
