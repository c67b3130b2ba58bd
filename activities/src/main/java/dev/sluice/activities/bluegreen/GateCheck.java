package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.api.bluegreen.BlueGreenOptions.Gates;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  CompletableFuture<ProbeResult<Gate>> look() {
    return CompletableFuture.supplyAsync(this::kubernetes, access.background())
        .thenCompose(this::decide)
        .exceptionally(
            silent -> {
              if (isOver()) {
                return at("nothing answers: " + silent.getMessage());
              }
              throw new IllegalStateException(silent);
            });
  }

  /**
   * @param decided what is known without Flink; null when that has to be asked
   * @param jobId the job that runs
   * @param at where to ask
   */
  private record Look(
      @Nullable ProbeResult<Gate> decided, @Nullable String jobId, @Nullable Endpoint at) {}

  private Look kubernetes() {
    Phase phase = child.get().map(ChildSeen::phase).orElse(null);
    if (phase == null) {
      return new Look(failed("the child is gone"), null, null);
    }
    if (phase instanceof Phase.Ready ready) {
      return new Look(null, ready.jobId(), endpoint.get());
    }
    if (phase instanceof Phase.Finished) {
      return new Look(passed("its job has finished"), null, null);
    }
    String words = ChildReading.words(phase);
    boolean mayPass = phase instanceof Phase.Busy || phase instanceof Phase.Held;
    return new Look(mayPass ? at(words) : failed(words), null, null);
  }

  private CompletableFuture<ProbeResult<Gate>> decide(Look look) {
    String jobId = look.jobId();
    Endpoint at = look.at();
    return jobId == null || at == null
        ? CompletableFuture.completedFuture(Objects.requireNonNull(look.decided()))
        : flink.jobsOverview(at).thenCompose(jobs -> ofJob(at, jobId, jobs));
  }

  private CompletableFuture<ProbeResult<Gate>> ofJob(Endpoint at, String jobId, JobsOverview jobs) {
    JobOverview job = jobs.job(jobId).orElse(null);
    if (job == null) {
      return CompletableFuture.completedFuture(at("Flink does not know job " + jobId));
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return CompletableFuture.completedFuture(passed("its job has finished"));
    }
    if (!job.isUpAsBatch()) {
      return CompletableFuture.completedFuture(at("its job is " + job.display()));
    }
    Duration quiet = job.times().unchangedFor(access.clock().instant());
    return completed(at, jobId)
        .thenCombine(metric(at, jobId), (done, metric) -> judge(quiet, done, metric));
  }

  private CompletableFuture<Long> completed(Endpoint at, String jobId) {
    return gates.checkpoints() == 0
        ? CompletableFuture.completedFuture(0L)
        : flink
            .checkpoints(at, jobId)
            .thenApply(found -> found.map(it -> it.counts().completed()).orElse(0L));
  }

  private CompletableFuture<OptionalDouble> metric(Endpoint at, String jobId) {
    String name = gates.metric();
    return name == null
        ? CompletableFuture.completedFuture(OptionalDouble.empty())
        : flink.highest(at, jobId, name);
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
