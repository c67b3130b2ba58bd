package dev.sluice.activities.rescale;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A job of an adaptive scheduler, as its JobManager knows it. Every call that does not go well
 * fails retryably, unless Flink refuses it for good: {@link FlinkRestException.Rejected}. Blocks.
 */
record ScalableJob(FlinkRest flink, Endpoint endpoint, String jobId) {

  ResourceRequirements requirements() {
    return ask(() -> flink.requirements(endpoint, jobId));
  }

  Map<String, Vertex> vertices() {
    return ask(() -> flink.vertices(endpoint, jobId));
  }

  /** Requires it, whatever is required now: an earlier request may still be on its way. */
  void require(ResourceRequirements wanted, EffectWindow window) {
    window.check();
    ResourceRequirements unused = ask(() -> flink.require(endpoint, jobId, wanted));
  }

  /** What its tasks would start again from now. */
  TaskRestart restart(Instant otherwiseNow) {
    Instant now = overview().flatMap(it -> it.times().now()).orElse(otherwiseNow);
    return new TaskRestart(
        ask(() -> flink.checkpointSettings(endpoint, jobId)),
        ask(() -> flink.checkpoints(endpoint, jobId)),
        now);
  }

  /** Whether every task runs; also where Flink does not tell. */
  boolean isUp() {
    return overview().map(JobOverview::isUp).orElse(true);
  }

  /**
   * Whether it is up, and that is required of it; one that has ended is not asked.
   *
   * @throws ApplicationFailure retryable, while it is not up
   */
  boolean runsAsRequired(ResourceRequirements wanted) {
    JobOverview job =
        overview().orElseThrow(() -> notUp("the JobManager answers; it has no job yet"));
    if (job.state().isGloballyTerminal()) {
      return true;
    }
    if (!requirements().equals(wanted)) {
      return false;
    }
    if (!job.isUp()) {
      throw notUp("job is " + job.display());
    }
    return true;
  }

  private static ApplicationFailure notUp(String what) {
    return ApplicationFailure.newFailure(what, FailureType.CLUSTER_NOT_READY);
  }

  private Optional<JobOverview> overview() {
    return ask(() -> flink.jobsOverview(endpoint)).job(jobId);
  }

  private static <T> T ask(Supplier<T> call) {
    try {
      return call.get();
    } catch (FlinkRestException.Rejected rejected) {
      throw rejected;
    } catch (FlinkRestException wrong) {
      throw ApplicationFailure.newFailure(
          String.valueOf(wrong.getMessage()), FailureType.CLUSTER_NOT_READY);
    }
  }
}
