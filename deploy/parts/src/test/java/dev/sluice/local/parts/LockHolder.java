package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Path;

/** Another process: takes the lock, says so, and keeps it until its input ends or it is killed. */
final class LockHolder {

  private LockHolder() {}

  public static void main(String[] arguments) throws IOException {
    try (FileMutex lock = FileMutex.take(Path.of(arguments[0]), () -> {})) {
      System.out.println("taken " + (lock != null));
      if (System.in.read() >= 0) {
        throw new IllegalStateException("nothing is to be read");
      }
    }
  }
}
