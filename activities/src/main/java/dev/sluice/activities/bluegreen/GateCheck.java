package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.bluegreen.BlueGreenOptions.Gates;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Whether the job of the child that comes is through the gates of the spec. All are looked at each
 * time: a job that starts again while it waits at one has to pass the others again.
 */
final class GateCheck {

  private final Gates gates;
  private final long deadlineMs;
  private final Supplier<Optional<ChildSeen>> child;
  private final Supplier<Endpoint> endpoint;
  private final FlinkRest flink;
  private final ClusterAccess access;

  /**
   * @param deadlineMs when to answer in any case, ms since the epoch
   * @param child what it says now; blocks, empty when it is gone
   * @param endpoint where its JobManager answers; blocks
   */
  GateCheck(
      Gates gates,
      long deadlineMs,
      Supplier<Optional<ChildSeen>> child,
      Supplier<Endpoint> endpoint,
      FlinkRest flink,
      ClusterAccess access) {
    this.gates = gates;
    this.deadlineMs = deadlineMs;
    this.child = child;
    this.endpoint = endpoint;
    this.flink = flink;
    this.access = access;
  }

  ProbeResult<Gate> look() {
    try {
      return ofChild();
    } catch (FlinkRestException | ApplicationFailure silent) {
      if (isOver()) {
        return at("nothing answers: " + silent.getMessage());
      }
      throw new IllegalStateException(silent.getMessage(), silent);
    }
  }

  private ProbeResult<Gate> ofChild() {
    Phase phase = child.get().map(ChildSeen::phase).orElse(null);
    if (phase == null) {
      return failed("the child is gone");
    }
    if (phase instanceof Phase.Ready ready) {
      return ofJob(endpoint.get(), ready.jobId());
    }
    if (phase instanceof Phase.Finished) {
      return passed("its job has finished");
    }
    String words = ChildReading.words(phase);
    boolean mayPass = phase instanceof Phase.Busy || phase instanceof Phase.Held;
    return mayPass ? at(words) : failed(words);
  }

  private ProbeResult<Gate> ofJob(Endpoint at, String jobId) {
    JobOverview job = flink.jobsOverview(at).job(jobId).orElse(null);
    if (job == null) {
      return at("Flink does not know job " + jobId);
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return passed("its job has finished");
    }
    if (!job.isUpAsBatch()) {
      return at("its job is " + job.display());
    }
    Duration quiet = job.times().unchangedFor(access.clock().instant());
    return judge(quiet, completed(at, jobId), metric(at, jobId));
  }

  private long completed(Endpoint at, String jobId) {
    return gates.checkpoints() == 0
        ? 0
        : flink.checkpoints(at, jobId).map(it -> it.counts().completed()).orElse(0L);
  }

  private OptionalDouble metric(Endpoint at, String jobId) {
    String name = gates.metric();
    return name == null ? OptionalDouble.empty() : flink.highest(at, jobId, name);
  }

  private ProbeResult<Gate> judge(Duration quiet, long completed, OptionalDouble metric) {
    List<String> open = new ArrayList<>();
    List<String> through = new ArrayList<>();
    if (gates.checkpoints() > 0) {
      (completed >= gates.checkpoints() ? through : open)
          .add("%d of %d checkpoints".formatted(completed, gates.checkpoints()));
    }
    if (!gates.noRestartFor().isZero()) {
      (quiet.compareTo(gates.noRestartFor()) >= 0 ? through : open)
          .add(
              "%d s of %d s without a restart"
                  .formatted(quiet.toSeconds(), gates.noRestartFor().toSeconds()));
    }
    Double max = gates.metricMax();
    if (gates.metric() != null && max != null) {
      boolean low = metric.isPresent() && metric.getAsDouble() <= max;
      (low ? through : open)
          .add(
              "%s is %s, at most %s"
                  .formatted(
                      gates.metric(),
                      metric.isPresent() ? metric.getAsDouble() : "not there",
                      max));
    }
    return open.isEmpty()
        ? passed(through.isEmpty() ? "there is no gate" : String.join(", ", through))
        : at(String.join(", ", open));
  }

  private static ProbeResult<Gate> passed(String what) {
    return ProbeResult.done(new Gate(true, what, false));
  }

  private static ProbeResult<Gate> failed(String what) {
    return ProbeResult.done(new Gate(false, what, true));
  }

  /** It waits at a gate: the answer once the time is over. */
  private ProbeResult<Gate> at(String what) {
    return isOver()
        ? ProbeResult.done(new Gate(false, what, false))
        : ProbeResult.notYet("at the gates: " + what);
  }

  private boolean isOver() {
    return access.clock().millis() >= deadlineMs;
  }
}
