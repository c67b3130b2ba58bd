package dev.sluice.activities.job;

import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.HighAvailabilityMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a JobManager was restarted and has begun its job again. Without high availability it
 * does so from what the job was restored from, whatever the job has done or left since, even when
 * it had ended. The time at which a job began tells: it stays the same as long as its JobManager
 * lives, also when the job restarts. One instance for each attempt of an activity.
 */
final class RestartDetector {

  private final boolean possible;
  private final Instant latest;
  private @Nullable Instant begun;

  /**
   * @param latest a job that began later has begun again
   */
  RestartDetector(JobTarget target, Instant latest) {
    this.possible = !HighAvailabilityMode.of(target.cluster().configuration()).isOn();
    this.latest = latest;
  }

  /** Whether the job has begun again since the first look at it. */
  boolean seen(JobOverview job) {
    Instant now = job.times().start();
    if (begun == null && !now.isAfter(latest)) {
      begun = now;
    }
    return possible && !now.equals(begun);
  }

  void accept(JobOverview job) {
    begun = job.times().start();
  }
}
