package dev.sluice.workflows.plan;

import dev.sluice.api.common.WithMethods;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a job gets from one spec to the next: three decisions, made together.
 *
 * @param suspend what becomes of the existing job
 * @param restore what the new job starts from
 * @param teardown which cluster goes, and when it may
 * @param why one sentence, shown to users
 */
@WithMethods
public record Plan(Suspend suspend, Restore restore, Teardown teardown, String why)
    implements PlanBuilder.With {

  /**
   * What becomes of the job that is there.
   *
   * @param how it is suspended
   * @param jobId the job; null where there is none to suspend
   */
  public record Suspend(How how, @Nullable String jobId) {

    /** No job has to be stopped. */
    public static final Suspend NONE = new Suspend(How.NONE, null);

    /** How a job is suspended. */
    public enum How {
      /** Not at all. */
      NONE,
      /**
       * The FlinkSessionJobs of a session cluster suspend their jobs, each by its own operation and
       * {@code upgradeMode}, and start them again on the next cluster.
       */
      SESSION_JOBS,
      /** With a savepoint; if it has ended already, Flink is asked what it was stopped with. */
      STOP_WITH_SAVEPOINT,
      /** Cancelled; its newest checkpoint stays, which Flink is known to retain. */
      CANCEL_AND_KEEP_CHECKPOINT,
      /** Left to its high-availability metadata: its cluster goes, the metadata stays. */
      KEEP_HA_METADATA,
      /** Cancelled; its state is not needed. */
      DISCARD,
      /** Cancelled, if it has still not progressed beyond what it was started from. */
      DISCARD_UNPROGRESSED
    }

    /** The job that is there is cancelled, if it lives: its state is not needed. */
    static Suspend discarding(Observation seen) {
      return seen.job() instanceof Alive job ? new Suspend(How.DISCARD, job.jobId()) : NONE;
    }

    /** The job that this may end, so that its state has to be recorded next; null for none. */
    public @Nullable String endedJob() {
      return how == How.KEEP_HA_METADATA ? null : jobId;
    }
  }

  /** What the new job starts from. */
  public sealed interface Restore {

    /** The state, never {@link StateRef.Unknown}; null for what suspending the old job yields. */
    default @Nullable StateRef state() {
      return null;
    }

    /** From what suspending the old job yields. */
    record FromSuspended() implements Restore {}

    /**
     * From a state that is known already.
     *
     * @param state where to start
     * @param initial the spec names it for a first start: no job of the resource has made it
     */
    record From(StateRef state, boolean initial) implements Restore {
      /** From what a job of the resource left. */
      public From(StateRef state) {
        this(state, false);
      }

      /** Rejects an unknown state. */
      public From {
        known(state);
      }
    }

    /**
     * From a state that the spec names, instead of what the job leaves.
     *
     * @param state where to start
     * @param left what a job that need not be suspended has left; null when that is not known
     */
    record Instead(StateRef state, @Nullable StateRef left) implements Restore {}

    /**
     * From the state that the user chose.
     *
     * @param state where to start
     * @param annotation value of {@code sluice.dev/restore-from} that says so
     */
    record Chosen(StateRef state, String annotation) implements Restore {
      /** Rejects an unknown state. */
      public Chosen {
        known(state);
      }
    }

    private static void known(StateRef state) {
      if (!state.isKnown()) {
        throw new IllegalArgumentException("A job cannot start from " + state.display());
      }
    }
  }

  /**
   * Which cluster goes with all its pods, and with the high-availability metadata unless its jobs
   * go on from that.
   *
   * @param jobId the job that it was made for: one that was made for another is left alone. {@link
   *     #NO_JOB} when no cluster was seen
   * @param generation the generation that it was made for, which distinguishes it from a later one
   *     of the same job; null when it does not say
   * @param onlyWhile what must still be so when it goes, because the plan rests on it; null when
   *     the plan does not
   * @param jobs what becomes of the jobs on a session cluster; null where it is none
   */
  @WithMethods
  public record Teardown(
      String jobId,
      @Nullable Long generation,
      ClusterObservation.@Nullable Evidence onlyWhile,
      @Nullable JobsOnCluster jobs)
      implements PlanTeardownBuilder.With {
    /** Stands for "no cluster was seen": none that is there meanwhile may be deleted. */
    public static final String NO_JOB = "none";

    /** The cluster that was seen; the plan does not rest on what was observed of it. */
    public static Teardown of(ClusterObservation seen) {
      return new Teardown(
          Objects.requireNonNullElse(seen.jobId(), NO_JOB), seen.generation(), null, null);
    }
  }
}
