package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobRef;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterCheckTest {

  private static final String OTHER = "00000000000000000000000000000000";
  private static final ProbeResult<String> NOT_YET =
      ProbeResult.notYet("the savepoint is being taken");
  private static final ProbeResult<String> GONE = ProbeResult.failed("Gone", "it is gone");

  private final TestClock clock = new TestClock();
  private final FakeClusters clusters = FakeClusters.running();
  private final ClusterCheck<String> check =
      new ClusterCheck<>(Jobs.JOB, clusters.access(clock), GONE, false);

  private ProbeResult<String> look() {
    return check.then(() -> NOT_YET);
  }

  private ProbeResult<String> lookAfter(Duration time) {
    look();
    clock.advance(time);
    return look();
  }

  @Test
  void itLooksAsLongAsTheClusterIsThere() {
    assertThat(lookAfter(Duration.ofHours(1))).isEqualTo(NOT_YET);
    assertThat(clusters.asked).isZero();
  }

  /** The Deployment of a session cluster is made for none of its jobs. */
  @Test
  void aSessionClusterIsNotAskedForWhichJobItWasMade() {
    ClusterCheck<String> ofOther =
        new ClusterCheck<>(
            new JobRef(Jobs.JOB.cluster(), OTHER), clusters.access(clock), GONE, true);

    assertThat(ofOther.then(() -> NOT_YET)).isEqualTo(NOT_YET);
    assertThat(clusters.asked).isZero();
  }

  @Test
  void itEndsWhenTheClusterIsGone() {
    clusters.both(FakeClusters.NONE);

    assertThat(look()).isEqualTo(GONE);
  }

  @Test
  void aCacheThatLostTheDeploymentIsNotBelievedAgainstTheApiServer() {
    clusters.cache.deployment = null;

    assertThat(lookAfter(Duration.ofHours(1))).isEqualTo(NOT_YET);
    assertThat(clusters.asked).isPositive();
  }

  @Test
  void anApiServerThatDoesNotAnswerEndsNothing() {
    clusters.both(FakeClusters.NONE);
    clusters.up = false;

    assertThat(lookAfter(Duration.ofHours(1))).isEqualTo(NOT_YET);
  }

  @Test
  void aCacheThatIsNotInSyncEndsNothing() {
    clusters.both(FakeClusters.NONE);
    clusters.cache.synced = false;

    assertThat(lookAfter(Duration.ofHours(1))).isEqualTo(NOT_YET);
  }

  @Test
  void aClusterThatWasMadeForAnotherJobEndsIt() {
    clusters.both(FakeClusters.madeFor(OTHER));

    assertThat(look())
        .isEqualTo(
            ProbeResult.failed(
                FailureType.OUTDATED,
                "cluster default/orders was made for job "
                    + OTHER
                    + ", not for job "
                    + FakeFlink.JOB));
  }

  @Test
  void aCacheThatStillHasTheJobOfBeforeEndsNothing() {
    clusters.cache.deployment = FakeClusters.madeFor(OTHER);

    assertThat(look()).isEqualTo(NOT_YET);
  }
}
