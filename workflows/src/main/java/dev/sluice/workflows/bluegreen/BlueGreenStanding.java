package dev.sluice.workflows.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.bluegreen.Color;
import org.jspecify.annotations.Nullable;

/**
 * What the status says of live and coming child: what every write names that it was planned for, so
 * that a run that was reset, or that wakes up late, changes nothing.
 *
 * @param live the child that is live; null before the first one is
 * @param transition the transition that was begun and not ended; null when none is
 * @param reached generation of the last spec that was reached; 0 when none was
 * @param givenUp generation of the newest spec that was given up; 0 when none was
 */
public record BlueGreenStanding(
    @Nullable Color live, @Nullable Begun transition, long reached, long givenUp) {

  /** Nothing was ever begun. */
  public static final BlueGreenStanding EMPTY = new BlueGreenStanding(null, null, 0, 0);

  /**
   * A transition that was begun.
   *
   * @param to the child that comes; after the switch it is also {@link #live}
   * @param generation of the parent that it is made for
   * @param sinceMs when it was begun, ms since the epoch
   * @param source where its job's state comes from
   * @param savepoint what the new job starts from; null as long as that is not taken, or where it
   *     starts empty or from what the spec names
   * @param switchedMs when the new child became live, ms since the epoch; null before that. It
   *     stays when the old child becomes live again: the transition is being given up then
   * @param cut that the live job is stopped before the new one starts; null when both run
   */
  public record Begun(
      Color to,
      long generation,
      long sinceMs,
      Source source,
      @Nullable String savepoint,
      @Nullable Long switchedMs,
      @Nullable Cut cut) {

    /** One during which both jobs run. */
    public Begun(
        Color to,
        long generation,
        long sinceMs,
        Source source,
        @Nullable String savepoint,
        @Nullable Long switchedMs) {
      this(to, generation, sinceMs, source, savepoint, switchedMs, null);
    }

    /** Whether the live job was told to stop: it may have, and is to run again on the way back. */
    @JsonIgnore
    public boolean stops() {
      return cut != null && cut.stoppingMs() != null;
    }

    /** Whether the live job was suspended for it: who has it run then wants it to. */
    @JsonIgnore
    public boolean wasSuspended() {
      return cut != null && cut.suspendedMs() != null;
    }

    /** Whether it is that very transition, however far it is. */
    @JsonIgnore
    public boolean isSame(@Nullable Begun other) {
      return other != null
          && sinceMs == other.sinceMs
          && generation == other.generation
          && to == other.to;
    }
  }

  /**
   * An exactly-once cut-over.
   *
   * @param stoppingMs when the live job was to be told to stop, ms since the epoch; null before
   *     that
   * @param suspendedMs when its resource was seen to say so, ms since the epoch; null before that
   */
  public record Cut(@Nullable Long stoppingMs, @Nullable Long suspendedMs) {
    /** The live job runs. */
    public static final Cut AHEAD = new Cut(null, null);
  }

  /** Where the state of the new job comes from. */
  public enum Source {
    /** A savepoint of the live job, which runs on; with a cut it is stopped with it. */
    SAVEPOINT,
    /** What the suspended live child, or its finished job, left; or a path that a person gave. */
    KNOWN,
    /**
     * What the spec names, or nothing: of the first deployment, and where {@code
     * savepointRedeployNonce} asks for it. Else that path is from before the live job.
     */
    SPEC,
    /** Nowhere, whatever the spec names: the job starts without state. */
    EMPTY
  }
}
