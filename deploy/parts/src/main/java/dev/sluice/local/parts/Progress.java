package dev.sluice.local.parts;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/** Shows what is being done and for how long. */
public interface Progress {

  /** Begins a step. Close it to end it; only one step is open at a time. */
  Step begin(String what);

  /** Says one line between steps. */
  void say(String line);

  /** Says nothing. */
  static Progress silent() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new ConsoleProgress(nowhere, false, InstantSource.system());
  }

  /** A step in hand. Closing it without {@link #done} says that it did not get there. */
  interface Step extends AutoCloseable {

    /** What is happening now, such as {@code 312 packages}. */
    void detail(String text);

    /** The step succeeded. */
    void done(String result);

    @Override
    void close();
  }
}
