package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods of the cluster that do not start, while the job is waited for. */
class JobStartPodsTest {

  private static final StateRef EMPTY = new StateRef.Empty("first deployment");

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();

  @ParameterizedTest
  @CsvSource({
    "ErrImagePull, ImagePullFailed",
    "ImagePullBackOff, ImagePullFailed",
    "CreateContainerConfigError, PodFailed",
  })
  void aPodProblemEndsTheWaitWhenItStaysAndTheApiServerSaysTheSame(String reason, String type) {
    clusters.both(Pods.waiting(Pods.jobManager(), reason, "not found", 0));
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(11));

    assertThat(type(look(wait))).isEqualTo(type);
  }

  @Test
  void aPodProblemThatOnlyTheCacheKnowsEndsNothing() {
    clusters.cache.pods.add(Pods.waiting(Pods.jobManager(), "ErrImagePull", "not found", 0));
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);
    look(wait);
    clock.advance(Duration.ofSeconds(11));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aPodProblemEndsNothingWhileTheApiServerIsAway() {
    clusters.both(Pods.waiting(Pods.jobManager(), "ErrImagePull", "not found", 0));
    clusters.up = false;
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);
    look(wait);
    clock.advance(Duration.ofSeconds(11));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aPodProblemEndsNothingWhileTheCacheIsNotInSync() {
    clusters.both(Pods.waiting(Pods.jobManager(), "ErrImagePull", "not found", 0));
    clusters.cache.synced = false;
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);
    look(wait);
    clock.advance(Duration.ofSeconds(11));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
  }

  private JobUpWait<RunningJob> wait(StateRef restoredFrom) {
    return JobUpWait.ofStart(
        new AwaitRunningRequest(
            Jobs.RESOURCE, Jobs.JOB, restoredFrom, clock.in(Duration.ofMinutes(5))),
        new JobTarget(Jobs.cluster(Map.of()), JOB, FlinkConfiguration.empty()),
        clusters.access(clock),
        flink);
  }

  private static ProbeResult<RunningJob> look(JobUpWait<RunningJob> wait) {
    return wait.look();
  }

  private static String type(ProbeResult<RunningJob> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<RunningJob>) outcome).type();
  }
}
