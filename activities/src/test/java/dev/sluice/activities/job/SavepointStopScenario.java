package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;

/** A job that is to be stopped, and looks at it. */
abstract class SavepointStopScenario {

  static final String FIRST = "00000000000000000000000000000001";
  static final String SECOND = TriggerLog.id(FIRST, 2);
  static final String THIRD = TriggerLog.id(FIRST, 3);
  static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  static final ActGuard LEASED = () -> true;

  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink();
  final SavepointLimiter limiter = new SavepointLimiter(1, clock, new SimpleMeterRegistry());
  Map<String, String> configuration = Map.of("state.savepoints.dir", "file:/savepoints");

  ProbeResult<TakenState> lookLate(SavepointStop stop) {
    clock.advance(Duration.ofMinutes(11));
    return look(stop);
  }

  SavepointStop attempt(int number) {
    StopRequest request =
        new StopRequest(
            Jobs.RESOURCE, Jobs.JOB, FIRST, clock.millis(), clock.in(Duration.ofMinutes(10)));
    JobTarget target = new JobTarget(Jobs.cluster(configuration), JOB, FlinkConfiguration.empty());
    return new SavepointStop(
        request,
        target,
        SavepointOptions.of(FlinkConfiguration.empty(), false),
        flink,
        limiter.slot(),
        new TriggerLog(request, Jobs.ENDPOINT, flink, number, clock));
  }

  static ProbeResult<TakenState> look(SavepointStop stop) {
    return stop.look(LEASED);
  }

  static String type(ProbeResult<TakenState> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<TakenState>) outcome).type();
  }

  static StateRef state(ProbeResult<TakenState> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<TakenState>) outcome).result().state();
  }
}
