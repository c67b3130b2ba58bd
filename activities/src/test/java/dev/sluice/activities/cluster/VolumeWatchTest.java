package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.FakeReader;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
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

  /** What a thread was asked to do and none has done yet. */
  private final Queue<Runnable> questions = new ArrayDeque<>();

  private final Queue<Runnable> background = new ArrayDeque<>();
  private final VolumeWatch watch =
      new VolumeWatch(
          Refs.CLUSTER, new ClusterAccess(api, view, background::add, questions::add, clock));

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
  void whileAQuestionIsNotAnsweredNoOtherIsAsked() {
    api.volumeProblem = SLOW;

    lookForAMinute();
    assertThat(questions).hasSize(1);

    answer();
    lookForAMinute();
    assertThat(questions).hasSize(1);
  }

  @Test
  void ofManyPodsAFewAreAskedAbout() {
    api.volumeProblem = SLOW;
    look();

    answer();

    assertThat(api.volumesAsked).isEqualTo(3);
    assertThat(look()).containsExactly(SLOW, SLOW, SLOW);
  }

  @Test
  void theFirstThatLastsIsEnough() {
    api.volumeProblem = MISSING;
    look();

    answer();

    assertThat(api.volumesAsked).isEqualTo(1);
    assertThat(look()).containsExactly(MISSING);
  }

  @Test
  void nothingElseWaitsForAQuestion() {
    lookForAMinute();

    assertThat(background).isEmpty();
  }

  private void lookForAMinute() {
    for (int i = 0; i < 60; i++) {
      look();
      clock.advance(Duration.ofSeconds(1));
    }
  }

  private List<PodProblem> look() {
    return watch.of(view.pods);
  }

  private void answer() {
    Objects.requireNonNull(questions.poll()).run();
  }
}
