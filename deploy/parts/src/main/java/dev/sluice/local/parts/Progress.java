package dev.sluice.local.parts;

/** Shows what is being done and for how long. */
public interface Progress {

  /** Begins a step. Close it to end it; only one step is open at a time. */
  Step begin(String what);

  /** Says one line between steps. */
  void say(String line);

  /** Says nothing. */
  static Progress silent() {
    return new Progress() {
      @Override
      public Step begin(String what) {
        return new Step() {
          @Override
          public void detail(String text) {}

          @Override
          public void done(String result) {}

          @Override
          public void close() {}
        };
      }

      @Override
      public void say(String line) {}
    };
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
