package dev.sluice.controller.job;

import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.snapshot.JobSnapshots;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was observed in addition to the resource itself.
 *
 * @param cluster that the job runs on
 * @param job by asking Flink
 * @param workflow the answers of Temporal
 * @param at when it was looked at
 * @param inPlace what came of what is changed in place
 * @param asked what came of the snapshots that the spec asks for; null while they are not looked at
 * @param <C> what is known of the cluster
 */
public record Observed<C>(
    C cluster,
    ObservedJob job,
    TemporalAnswers temporal,
    Instant at,
    InPlaceOutcome inPlace,
    JobSnapshots.@Nullable Outcome asked) {

  /** Nothing was changed in place yet. */
  public static <C> Observed<C> of(
      C cluster, ObservedJob job, TemporalAnswers temporal, Instant at) {
    return new Observed<>(cluster, job, temporal, at, InPlaceOutcome.DONE, null);
  }

  Observed<C> with(InPlaceOutcome changed, JobSnapshots.Outcome answered) {
    return new Observed<>(cluster, job, temporal, at, changed, answered);
  }

  Observed<C> with(TemporalAnswers learned) {
    return new Observed<>(cluster, job, learned, at, inPlace, asked);
  }
}
