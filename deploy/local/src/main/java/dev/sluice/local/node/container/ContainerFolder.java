package dev.sluice.local.node.container;

import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A container's folder.
 *
 * @param dir {@code pods/POD/CONTAINER}
 */
public record ContainerFolder(Path dir) {

  /** What the container sees as {@code /}, as far as paths are turned. */
  public Path root() {
    return dir.resolve("root");
  }

  /** Scratch space, empty at each start. */
  public Path work() {
    return dir.resolve("work");
  }

  /** The attempt of that number. */
  public Attempt attempt(int number) {
    return new Attempt(dir.resolve(Integer.toString(number)), number);
  }

  /** The newest attempt that has begun; empty before the first. */
  public Optional<Attempt> newest() throws IOException {
    int newest = -1;
    if (Files.isDirectory(dir)) {
      try (DirectoryStream<Path> attempts = Files.newDirectoryStream(dir, "[0-9]*")) {
        for (Path attempt : attempts) {
          int number = Integer.parseInt(attempt.getFileName().toString());
          newest = attempt(number).begun() ? Math.max(newest, number) : newest;
        }
      }
    }
    return newest < 0 ? Optional.empty() : Optional.of(attempt(newest));
  }
}
