package dev.sluice.activities.job;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The waits of an upgrade for jobs on a real Flink, as the activities make them. */
record FlinkWaits(FlinkCluster flink, Path savepoints) {

  JobTarget target(SampleJob job) {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(
            Map.of(
                "web.refresh-interval",
                "200 ms",
                "rest.port",
                Integer.toString(flink.endpoint().port())));
    RunningCluster cluster =
        new RunningCluster(
            flink.endpoint().cluster(), flink.endpoint(), configuration, job.id(), 1L);
    return new JobTarget(
        cluster,
        job.id(),
        FlinkConfiguration.of(Map.of("state.savepoints.dir", savepoints.toUri().toString())));
  }

  JobRef ref(SampleJob job) {
    return new JobRef(flink.endpoint().cluster(), job.id());
  }

  JobUpWait<RunningJob> startWait(SampleJob job, StateRef restoredFrom) {
    return JobUpWait.ofStart(
        new AwaitRunningRequest(Jobs.RESOURCE, ref(job), restoredFrom, in(ofMinutes(2))),
        target(job),
        FakeClusters.running().access(Clock.systemUTC()),
        flink.rest());
  }

  JobUpWait<StableJob> stableWait(SampleJob job, StableAfter wanted) {
    ClusterAccess access = FakeClusters.running().access(Clock.systemUTC());
    return new JobUpWait<>(
        ref(job),
        target(job),
        access,
        flink.rest(),
        new StabilityCheck(
            new AwaitStableRequest(
                Jobs.RESOURCE, ref(job), wanted, ofMinutes(2).toMillis(), in(ofMinutes(2))),
            target(job),
            Clock.systemUTC(),
            flink.rest(),
            () -> Optional.of(wanted)));
  }

  SavepointStop stop(SampleJob job, int attempt) {
    StopRequest request =
        new StopRequest(
            Jobs.RESOURCE,
            ref(job),
            SampleJob.newId(),
            System.currentTimeMillis(),
            in(ofMinutes(2)));
    return new SavepointStop(
        request,
        target(job),
        SavepointOptions.of(FlinkConfiguration.empty(), false),
        flink.rest(),
        new SavepointLimiter(1, Clock.systemUTC(), new SimpleMeterRegistry()).slot(),
        new TriggerLog(request, flink.endpoint(), flink.rest(), attempt, Clock.systemUTC()));
  }

  JobCancellation cancellation(SampleJob job, boolean keepState) {
    return new JobCancellation(
        new CancelRequest(
            Jobs.RESOURCE,
            ref(job),
            keepState ? OnlyIf.STATE_IS_KEPT : OnlyIf.ANY_CASE,
            in(ofMinutes(2))),
        target(job),
        flink.rest(),
        Clock.systemUTC());
  }

  JobProbe probe(SampleJob job) {
    return new JobProbe(
        flink.rest(), flink.endpoint(), job.id(), Duration.ofMillis(200), Clock.systemUTC());
  }

  static long in(Duration later) {
    return System.currentTimeMillis() + later.toMillis();
  }

  static <T> ProbeResult<T> decided(Supplier<ProbeResult<T>> look) {
    return await()
        .atMost(ofMinutes(2))
        .until(() -> look.get(), seen -> !(seen instanceof ProbeResult.NotYet));
  }

  static <T> T done(Supplier<ProbeResult<T>> look) {
    ProbeResult<T> seen = decided(look);
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<T>) seen).result();
  }

  static <T> ProbeResult.Failed<T> failed(Supplier<ProbeResult<T>> look) {
    ProbeResult<T> seen = decided(look);
    assertThat(seen).isInstanceOf(ProbeResult.Failed.class);
    return (ProbeResult.Failed<T>) seen;
  }
}
