package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.FakeReader;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the API server is asked why pods wait, above all while it is slow. */
class VolumeWatchTest {

  private static final PodProblem SLOW = new PodProblem("FailedMount", "timed out", false);
  private static final PodProblem MISSING = new PodProblem("FailedMount", "no secret", true);

  private final TestClock clock = new TestClock();
  private final FakeView view = new FakeView();
  private final FakeReader api = new FakeReader();

  private final VolumeWatch watch =
      new VolumeWatch(Refs.CLUSTER, new ClusterAccess(api, view, Runnable::run, clock));

  @BeforeEach
  void manyPodsWait() {
    List<Pod> waiting =
        IntStream.range(0, 200)
            .mapToObj(i -> Pods.creating(Pods.taskManager(), clock.instant().minusSeconds(10)))
            .toList();
    view.pods.addAll(waiting);
    api.pods.addAll(waiting);
  }

  @Test
  void theyAreAskedAboutEveryTenSeconds() {
    api.volumeProblem = MISSING;

    for (int i = 0; i < 60; i++) {
      look();
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(api.volumesAsked).isEqualTo(6);
  }

  @Test
  void ofManyPodsAFewAreAskedAbout() {
    api.volumeProblem = SLOW;
    assertThat(look()).containsExactly(SLOW, SLOW, SLOW);
    assertThat(api.volumesAsked).isEqualTo(3);
  }

  @Test
  void theFirstThatLastsIsEnough() {
    api.volumeProblem = MISSING;
    assertThat(look()).containsExactly(MISSING);
    assertThat(api.volumesAsked).isEqualTo(1);
  }

  private List<PodProblem> look() {
    return watch.of(view.pods);
  }
}
