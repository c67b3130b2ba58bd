package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.observation.ObservedJob.Unhealthy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Flink answers of the job of a {@link Deployed}. */
final class FlinkAnswers {

  private static final Map<String, String> CLUSTER = Map.of("flink-version", "1.20.5");
  private static final Times TIMES = new Times(Deployed.NOW.minusSeconds(60), Deployed.NOW);

  private FlinkAnswers() {}

  /** It knows no job. */
  static Answered noJob() {
    return new Answered(Optional.empty(), CLUSTER);
  }

  static Answered job(FlinkJobState state, boolean tasksUp, Optional<String> cause) {
    return answered(new Job(Deployed.JOB_ID, "orders", state, tasksUp, TIMES, cause, List.of()));
  }

  static Answered failing(FlinkJobState state, String why, Failure... newestFirst) {
    return answered(
        new Job(
            Deployed.JOB_ID,
            "orders",
            state,
            false,
            TIMES,
            Optional.of(why),
            List.of(newestFirst)));
  }

  /** The same job, which was begun again now. */
  static Answered begunAgain(Answered before) {
    Job job = before.job().orElseThrow();
    return answered(
        new Job(
            Deployed.JOB_ID,
            job.name(),
            job.state(),
            job.tasksUp(),
            new Times(Deployed.NOW, Deployed.NOW),
            job.failure(),
            List.of()));
  }

  /** The same job, which counts what a healthy one does not. */
  static Answered unhealthy(Answered before, String why) {
    return new Answered(
        before.job(), before.clusterInfo(), Optional.of(new Unhealthy(why, Duration.ofMinutes(2))));
  }

  private static Answered answered(Job job) {
    return new Answered(Optional.of(job), CLUSTER);
  }
}
