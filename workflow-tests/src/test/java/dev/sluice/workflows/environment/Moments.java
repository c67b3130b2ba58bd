package dev.sluice.workflows.environment;

/** Is told of the moments inside an effect at which a worker may be lost or somebody may act. */
public interface Moments {

  /** Nothing ever happens. */
  Moments QUIET =
      new Moments() {
        @Override
        public void during(String moment) {}

        @Override
        public boolean cancelled() {
          return false;
        }
      };

  /**
   * The effect is half done, or a wait has begun. No lock is held.
   *
   * @param moment what was just done
   * @throws RuntimeException when the worker is lost at this moment
   */
  void during(String moment);

  /**
   * Whether the engine says, as an answer to a heartbeat, that the effect is not wanted any more.
   */
  boolean cancelled();
}
