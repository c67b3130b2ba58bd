package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Why a job of one cluster is FAILED. Flink answers from a cache of some seconds, so it is asked
 * with each poll until the cause is known, at most five times for each failure.
 */
final class FailureCause {

  static final String NOT_TOLD = "Flink does not say why";

  /** With a poll each second, longer than {@code web.refresh-interval} (3 s). */
  private static final int MOST_TRIES = 5;

  private final FlinkRest flink;
  private @Nullable Failure failure;
  private int tries;
  private @Nullable String cause;

  FailureCause(FlinkRest flink) {
    this.flink = flink;
  }

  /** The answer with the cause of its job's failure, if its job is FAILED and the cause known. */
  CompletableFuture<Answered> complete(Endpoint cluster, Answered answer) {
    Job job = answer.job().filter(it -> it.state() == FlinkJobState.FAILED).orElse(null);
    if (job == null) {
      return CompletableFuture.completedFuture(answer);
    }
    String earlier = known(new Failure(job.id(), job.times().started()));
    if (earlier != null) {
      return CompletableFuture.completedFuture(withCause(answer, job, earlier));
    }
    return flink
        .exceptions(cluster, job.id())
        .handle(
            (exceptions, failed) -> {
              String known = cause(exceptions);
              return known == null ? answer : withCause(answer, job, known);
            });
  }

  private synchronized @Nullable String known(Failure now) {
    if (!now.equals(failure)) {
      failure = now;
      tries = 0;
      cause = null;
    }
    return cause;
  }

  private synchronized @Nullable String cause(@Nullable JobExceptions exceptions) {
    tries++;
    if (exceptions != null) {
      cause = JobOverviewReader.cause(exceptions).orElse(null);
    }
    if (cause == null && tries >= MOST_TRIES) {
      cause = NOT_TOLD;
    }
    return cause;
  }

  private static Answered withCause(Answered answer, Job job, String cause) {
    return new Answered(Optional.of(job.withFailure(cause)), answer.clusterInfo());
  }

  private record Failure(String jobId, Instant started) {}
}
