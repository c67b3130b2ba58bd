package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Path;

/** One way to get a binary. */
interface Source {

  /**
   * Puts the binary at {@code target} (as a file or a link), or explains why this way is closed.
   *
   * @param target does not exist; on the file system of the cache, so that it can be renamed
   * @throws PartsException when going on to the next source makes no sense
   * @throws IOException the same, from the file system
   */
  Attempt provide(Tool tool, Path target, Progress progress) throws IOException;

  /** What came of it. */
  sealed interface Attempt {

    /**
     * The binary is at the target.
     *
     * @param origin where it came from, in words
     */
    record Provided(String origin) implements Attempt {}

    /**
     * Try the next source.
     *
     * @param reason why, and what would open this way
     */
    record NotAvailable(String reason) implements Attempt {}
  }
}
