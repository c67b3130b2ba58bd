package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a job gets from one spec to the next: three decisions, made together.
 *
 * @param suspend what becomes of the existing job
 * @param restore what the new job starts from
 * @param teardown what becomes of the existing cluster
 * @param why one sentence, shown to users
 */
public record Plan(Suspend suspend, Restore restore, Teardown teardown, String why) {

  /** What becomes of the job that is there. */
  public sealed interface Suspend {

    /** Whether this may end the job, so that until its state is recorded nothing else may begin. */
    default boolean mayEndJob() {
      return endedJob() != null;
    }

    /** The job that this may end; null where it ends none. */
    default @Nullable String endedJob() {
      if (this instanceof StopWithSavepoint it) {
        return it.jobId();
      }
      if (this instanceof CancelAndKeepCheckpoint it) {
        return it.jobId();
      }
      if (this instanceof Discard it) {
        return it.jobId();
      }
      return this instanceof DiscardUnprogressed it ? it.jobId() : null;
    }

    /** No job has to be stopped. */
    record None() implements Suspend {}

    /**
     * Of a session cluster: its FlinkSessionJobs suspend their jobs, each by its own operation and
     * {@code upgradeMode}, and start them again on the next cluster.
     */
    record SessionJobs() implements Suspend {}

    /** Stop it with a savepoint; if it has ended already, ask Flink what it was stopped with. */
    record StopWithSavepoint(String jobId) implements Suspend {}

    /** Cancel it and keep its newest checkpoint, which Flink is known to retain. */
    record CancelAndKeepCheckpoint(String jobId) implements Suspend {}

    /** Leave the job to its high-availability metadata: its cluster goes, the metadata stays. */
    record KeepHaMetadata(String jobId) implements Suspend {}

    /** Cancel it; its state is not needed. */
    record Discard(String jobId) implements Suspend {}

    /** Cancel it, provided that it has still not progressed beyond what it was started from. */
    record DiscardUnprogressed(String jobId) implements Suspend {}
  }

  /** What the new job starts from. */
  public sealed interface Restore {
    /** From what suspending the old job yields. */
    record FromSuspended() implements Restore {}

    /**
     * From a state that is known already.
     *
     * @param state never {@link StateRef.Unknown}
     * @param initial the spec names it for a first start: no job of the resource has made it
     */
    record From(StateRef state, boolean initial) implements Restore {
      /** From what a job of the resource left, or what the user chose. */
      public From(StateRef state) {
        this(state, false);
      }

      /** Rejects an unknown state. */
      public From {
        if (!state.isKnown()) {
          throw new IllegalArgumentException("A job cannot start from " + state.display());
        }
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
     * @param state never {@link StateRef.Unknown}
     * @param annotation value of {@code sluice.dev/restore-from} that says so
     */
    record Chosen(StateRef state, String annotation) implements Restore {
      /** Rejects an unknown state. */
      public Chosen {
        if (!state.isKnown()) {
          throw new IllegalArgumentException("A job cannot start from " + state.display());
        }
      }
    }
  }

  /** What becomes of the existing cluster. */
  public sealed interface Teardown {
    /**
     * Its Deployment goes with all pods, and with the high-availability metadata unless the job
     * goes on from that.
     *
     * @param jobId the job that the cluster was made for: one that was made for another is left
     *     alone. {@link #NO_JOB} when no cluster was seen
     * @param generation the generation that the cluster was made for, which tells it from a later
     *     one of the same job; null when it does not say
     * @param onlyWhile what must still be so when it goes, because the plan rests on it; null when
     *     the plan does not
     */
    record Replace(
        String jobId, @Nullable Long generation, ClusterObservation.@Nullable Evidence onlyWhile)
        implements Teardown {
      /** Stands for "no cluster was seen": none that is there meanwhile may be deleted. */
      public static final String NO_JOB = "none";

      /** The cluster that was seen; the plan does not rest on what was observed of it. */
      public static Replace of(ClusterObservation seen) {
        return new Replace(
            Objects.requireNonNullElse(seen.jobId(), NO_JOB), seen.generation(), null);
      }

      /** The same, as long as it stays as it was seen. */
      public Replace whileIt(ClusterObservation.Evidence stays) {
        return new Replace(jobId, generation, stays);
      }
    }

    /**
     * As {@link Replace}, of a session cluster.
     *
     * @param jobId what tells the cluster from the next; {@link Replace#NO_JOB} when none was seen
     * @param generation as in {@link Replace}
     * @param jobs what becomes of the jobs on it
     * @param back the jobs that have to run again on the next one
     */
    record ReplaceSession(
        String jobId, @Nullable Long generation, JobsOnCluster jobs, List<String> back)
        implements Teardown {
      /** Copies the list. */
      public ReplaceSession {
        back = List.copyOf(back);
      }

      /** The cluster that was seen. */
      public static ReplaceSession of(
          ClusterObservation seen, JobsOnCluster jobs, List<String> back) {
        Replace replace = Replace.of(seen);
        return new ReplaceSession(replace.jobId(), replace.generation(), jobs, back);
      }
    }

    /** It stays, because others use it or its new job runs on it too. */
    record Keep() implements Teardown {}
  }
}
