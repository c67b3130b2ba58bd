package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Little programs that stand in for binaries. */
final class Scripts {

  private Scripts() {}

  /** A program that prints {@code text}, whatever its arguments. */
  static Path printing(Path file, String text) throws IOException {
    return of(file, "echo '" + text + "'");
  }

  /** A program with a shell script as its body. */
  static Path of(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
    return file;
  }
}
