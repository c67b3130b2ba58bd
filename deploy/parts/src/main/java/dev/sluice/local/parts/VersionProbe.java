package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks a binary for its version by running it. */
final class VersionProbe {

  private static final long TIMEOUT_SECONDS = 20;

  private VersionProbe() {}

  /** Empty when it cannot be run, does not end in time or prints no version. */
  static Optional<Version> probe(Tool tool, Path binary) {
    if (!Files.isExecutable(binary)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(tool.versionArguments());
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
          return Optional.empty();
        }
        byte[] output = process.getInputStream().readAllBytes();
        return process.exitValue() == 0
            ? Version.findIn(new String(output, StandardCharsets.UTF_8))
            : Optional.empty();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
