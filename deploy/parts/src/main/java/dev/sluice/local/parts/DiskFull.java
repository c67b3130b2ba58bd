package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Recognises a full disk before and after the fact. */
public final class DiskFull {

  private static final String KERNEL_MESSAGE = "no space left on device";
  private static final long MEGABYTE = 1 << 20;

  private DiskFull() {}

  /**
   * Fails when less than {@code megabytes} are free where {@code file} is or will be.
   *
   * @param purpose begins the sentence that says what needs the space
   */
  static void check(Path file, long megabytes, String purpose) throws IOException {
    for (Path place = file.toAbsolutePath(); place != null; place = place.getParent()) {
      if (Files.exists(place)) {
        long free = Files.getFileStore(place).getUsableSpace() / MEGABYTE;
        if (free < megabytes) {
          throw new PartsException(
              "%s needs about %d MB in %s, but only %d MB are free. Free some space, or put the"
                      .formatted(purpose, megabytes, place, free)
                  + " cache elsewhere with SLUICE_CACHE.");
        }
        return;
      }
    }
  }

  /** Whether an error or a program's output says that the disk is full. */
  public static boolean isSaidBy(String text) {
    return text.toLowerCase(Locale.ROOT).contains(KERNEL_MESSAGE);
  }
}
