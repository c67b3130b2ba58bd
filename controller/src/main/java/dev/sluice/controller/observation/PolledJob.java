package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One job on the cluster of another resource. It asks for no overview itself: it is told each one
 * of its cluster. Only the job with its own id counts.
 */
public final class PolledJob {

  private final JobDetails details;
  private final Runnable changed;
  private @Nullable Target target;
  private Seen seen = Seen.NOTHING;

  PolledJob(FlinkRest flink, Runnable changed) {
    this.details = new JobDetails(flink);
    this.changed = changed;
  }

  /**
   * What to look for.
   *
   * @param jobId the job
   * @param subject what the answers are about: when it changes, earlier answers are void
   */
  public record Target(String jobId, String subject) {}

  /**
   * What was last seen.
   *
   * @param job what Flink says of the job
   * @param clusterId of the cluster that answered; null when it does not say
   */
  public record Seen(ObservedJob job, @Nullable String clusterId) {
    /** Nobody was asked. */
    public static final Seen NOTHING = new Seen(new Pending(), null);
  }

  /** What was answered, if it is about this. */
  synchronized Seen seen(String subject) {
    return target != null && target.subject().equals(subject) ? seen : Seen.NOTHING;
  }

  /** From now on looks for this; returns whether its cluster should be asked at once. */
  synchronized boolean look(Target now) {
    boolean other = !now.equals(target);
    target = now;
    if (other) {
      seen = Seen.NOTHING;
    }
    return other;
  }

  /** Begins a question that is about the job of now; null while none is looked for. */
  synchronized @Nullable Question ask() {
    return target == null ? null : new Question(this, target);
  }

  private synchronized boolean take(Target asked, Seen now) {
    if (!asked.equals(target)) {
      return false;
    }
    boolean differs = differs(now);
    seen = now;
    return differs;
  }

  private boolean differs(Seen now) {
    boolean job =
        now.job() instanceof Answered answered
            ? answered.differsFrom(seen.job())
            : !now.job().equals(seen.job());
    return job || (now.clusterId() != null && !now.clusterId().equals(seen.clusterId()));
  }

  /** Its cluster does not answer, or is another one. */
  void silent(ObservedJob now) {
    Question question = ask();
    if (question != null) {
      new Reply(question, new Seen(now, null)).deliver();
    }
  }

  /** What is asked for, with an overview that comes later. */
  record Question(PolledJob job, Target target) {

    /** Completes with what the overview says; asks for more where that matters. */
    CompletableFuture<Reply> answer(PollTarget cluster, JobsOverview overview) {
      return overview
          .job(target.jobId())
          .map(found -> job.details.complete(cluster.endpoint(), found).thenApply(Optional::of))
          .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
          .thenApply(
              found -> new Reply(this, new Seen(new Answered(found, Map.of()), cluster.jobId())));
    }
  }

  /** What came of a question. */
  record Reply(Question question, Seen seen) {

    /** Tells whoever looks for the job, unless they look for something else by now. */
    void deliver() {
      if (question.job().take(question.target(), seen)) {
        question.job().changed.run();
      }
    }
  }
}
