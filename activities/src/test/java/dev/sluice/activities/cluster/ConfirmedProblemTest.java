package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfirmedProblemTest {

  private static final PodProblem IMAGE = new PodProblem("ErrImagePull", "no image", true);
  private static final PodProblem FULL = new PodProblem("Unschedulable", "full", false);

  private final TestClock clock = new TestClock();
  private final FakeView cache = new FakeView();
  private final FakeClusters api = new FakeClusters();
  private final ConfirmedProblem problem =
      new ConfirmedProblem(Refs.CLUSTER, new ClusterAccess(api, cache, clock));

  @Test
  void among_problemThatLasts_countsAfterTenSeconds() {
    api.pods.add(Pods.waiting(Pods.jobManager(), "ImagePullBackOff", "", 0));

    assertThat(after(0, IMAGE)).isFalse();
    assertThat(after(9, IMAGE)).isFalse();
    assertThat(after(1, IMAGE)).isTrue();
    cache.synced = false;
    assertThat(after(1, IMAGE)).isFalse();
  }

  @Test
  void among_problemThatPassedInBetween_startsAgain() {
    api.pods.add(Pods.waiting(Pods.jobManager(), "ImagePullBackOff", "", 0));

    assertThat(after(0, IMAGE)).isFalse();
    assertThat(after(9, FULL)).isFalse();
    assertThat(after(9, IMAGE)).isFalse();
  }

  @Test
  void among_apiServerDoesNotReportIt_isNone() {
    api.pods.add(Pods.jobManager());

    assertThat(after(0, IMAGE)).isFalse();
    assertThat(after(10, IMAGE)).isFalse();
  }

  private boolean after(int seconds, PodProblem seen) {
    clock.advance(Duration.ofSeconds(seconds));
    return problem.among(List.of(seen)).isPresent();
  }
}
