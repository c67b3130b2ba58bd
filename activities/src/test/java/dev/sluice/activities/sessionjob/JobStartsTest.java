package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterRef;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobStartsTest {

  private static final Endpoint ONE = Endpoint.of(new ClusterRef("default", "one"));
  private static final Endpoint OTHER = Endpoint.of(new ClusterRef("default", "other"));
  private static final Endpoint THIRD = Endpoint.of(new ClusterRef("default", "third"));
  private static final JarSubmission.Run JOB =
      new JarSubmission.Run(
          "id", null, "Main", List.of(), 1, null, false, FlinkConfiguration.empty(), null);

  private final CountDownLatch end = new CountDownLatch(1);
  private final JobStarts starts = new JobStarts((cluster, job, alive) -> waitForTheEnd(), 1, 2);

  private void waitForTheEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new CancellationException("interrupted");
    }
  }

  private Optional<JobStarts.Start> begin(Endpoint cluster) {
    return starts.begin(cluster, JOB, () -> {}, () -> {});
  }

  @AfterEach
  void close() {
    starts.close();
  }

  @Test
  void aClusterThatIsFullDoesNotHoldUpAnotherOne() {
    assertThat(begin(ONE)).isPresent();

    assertThat(begin(ONE)).isEmpty();
    assertThat(starts.full(ONE)).contains("1 of 1 jobs are being started on it");
    assertThat(begin(OTHER)).isPresent();
  }

  @Test
  void allClustersTogetherHaveALimit() {
    assertThat(begin(ONE)).isPresent();
    assertThat(begin(OTHER)).isPresent();

    assertThat(begin(THIRD)).isEmpty();
    assertThat(starts.full(THIRD)).contains("this worker starts 2 of 2 jobs");
  }

  @Test
  void theEndOfOneMakesRoomForTheNext() {
    JobStarts.Start first = begin(ONE).orElseThrow();

    end.countDown();

    assertThat(first.failure()).isNull();
    assertThat(begin(ONE)).isPresent();
  }

  /** Also of one whose thread has not begun. */
  @Test
  void oneThatIsInterruptedGivesItsPlaceBack() {
    for (int i = 0; i < 200; i++) {
      JobStarts.Start start = begin(ONE).orElseThrow();
      start.interrupt();

      assertThat(start.failure()).isInstanceOf(CancellationException.class);
    }
    assertThat(starts.running()).isZero();
  }
}
