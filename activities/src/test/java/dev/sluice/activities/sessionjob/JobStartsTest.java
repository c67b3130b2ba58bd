package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.workflows.model.ClusterRef;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class JobStartsTest {

  private static final Endpoint ONE = Endpoint.of(new ClusterRef("default", "one"));
  private static final Endpoint OTHER = Endpoint.of(new ClusterRef("default", "other"));
  private static final JarSubmission.Run JOB =
      new JarSubmission.Run(
          "id",
          new SessionJobTarget(
              new FrozenSessionJob(SessionJobs.SPEC, 1, true), new SessionPlace(null)),
          null);
  private final Deque<Runnable> during = new ArrayDeque<>();
  private final JobStarts starts =
      new JobStarts((cluster, job, alive) -> during.removeLast().run(), 1);

  /** Starts a job there, and this happens meanwhile. */
  private Optional<String> start(Endpoint cluster, Runnable meanwhile) {
    during.addLast(meanwhile);
    Optional<String> full = starts.run(cluster, JOB, () -> true);
    full.ifPresent(it -> during.removeLast());
    return full;
  }

  private Optional<String> start(Endpoint cluster) {
    return start(cluster, () -> {});
  }

  @Test
  void aClusterThatIsFullDoesNotHoldUpAnotherOne() {
    Optional<String> started =
        start(
            ONE,
            () -> {
              assertThat(start(ONE)).contains("1 of 1 jobs are being started on it");
              assertThat(start(OTHER)).isEmpty();
            });

    assertThat(started).isEmpty();
  }

  /** Each has a jar on the disk of the worker. */
  @Test
  void allClustersTogetherHaveALimit() {
    assertThat(startAfter(JobStarts.MOST - 1)).isEmpty();
    assertThat(startAfter(JobStarts.MOST)).contains("this worker starts 16 of 16 jobs");
    assertThat(startAfter(JobStarts.MOST - 1)).as("room again").isEmpty();
  }

  /** Starts one more while so many are started, each on a cluster of its own. */
  private Optional<String> startAfter(int others) {
    AtomicReference<Optional<String>> last = new AtomicReference<>(Optional.empty());
    Endpoint here = Endpoint.of(new ClusterRef("default", "cluster-" + others));
    Optional<String> full =
        start(here, () -> last.set(others == 0 ? Optional.empty() : startAfter(others - 1)));
    return full.isPresent() ? full : last.get();
  }

  @Test
  void theEndOfOneMakesRoomForTheNextHoweverItEnds() {
    assertThat(start(ONE)).isEmpty();
    assertThatThrownBy(
            () ->
                start(
                    ONE,
                    () -> {
                      throw new CancellationException("interrupted");
                    }))
        .isInstanceOf(CancellationException.class);

    assertThat(start(ONE)).isEmpty();
  }
}
