package dev.sluice.activities.resource;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks until the job's state can be told, or patience ends. One instance for each attempt of the
 * activity.
 */
final class ObserveWait {

  // shorter than what the engine gives a short activity
  private static final long ONE_LOOK_MS = 6_000;

  private final Instant end;
  private final Supplier<CompletableFuture<JobProbe>> looks;
  private final Function<JobSeen, Observation> observation;
  private final SettleTimer statistics;
  private final Clock clock;

  /**
   * @param end when patience ends
   * @param looks takes one look; never fails
   * @param observation completes it
   * @param statistics how fresh the newest state is, once the job has ended
   */
  ObserveWait(
      Instant end,
      Supplier<CompletableFuture<JobProbe>> looks,
      Function<JobSeen, Observation> observation,
      SettleTimer statistics,
      Clock clock) {
    this.end = end;
    this.looks = looks;
    this.observation = observation;
    this.statistics = statistics;
    this.clock = clock;
  }

  CompletableFuture<ProbeResult<Observation>> look() {
    return looks
        .get()
        .completeOnTimeout(JobProbe.UNKNOWN, ONE_LOOK_MS, TimeUnit.MILLISECONDS)
        .thenApply(this::judge);
  }

  private ProbeResult<Observation> judge(JobProbe look) {
    if (look.ended() && !statistics.reached()) {
      // a checkpoint that Flink has deleted since may still be in its cached statistics
      return ProbeResult.notYet(look.progress() + ", its statistics are not final yet");
    }
    return look.settled() || !clock.instant().isBefore(end)
        ? ProbeResult.done(observation.apply(look.seen()))
        : ProbeResult.notYet(look.progress());
  }
}
