package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.job.ClusterJob;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.TestClock;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** The job of a version, whose cluster is there. */
abstract class VersionJobScenario {

  static final Duration EACH_LOOK = Duration.ofSeconds(2);

  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink().running();
  FrozenVersion version = Applications.version();
  VersionLook kubernetes =
      new VersionLook(new Deployment(), new Deployment(), List.of(), null, true);
  Optional<List<String>> savepointsInDirectory = Optional.of(List.of());

  ClusterJob job() {
    return new ClusterJob(version.running(), JOB, version.configuration(), flink, clock);
  }

  StateFiles files() {
    return new StateFiles(JOB, version.configuration(), version.configuration(), Runnable::run) {
      @Override
      Optional<List<String>> savepointsSince(long sinceMs) {
        return savepointsInDirectory;
      }
    };
  }

  ClusterPresence presence() {
    FakeView nothing = new FakeView();
    return new ClusterPresence(
        version, () -> kubernetes, new ClusterAccess(new FakeClusters(), nothing, clock));
  }

  void clusterIsGone() {
    flink.up(false);
    kubernetes = new VersionLook(null, null, List.of(), null, false);
  }

  void jobManagerRuns() {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .addToLabels("flink-deployment-type", "jobmanager")
            .endMetadata()
            .withNewStatus()
            .addNewContainerStatus()
            .withNewState()
            .withNewRunning()
            .endRunning()
            .endState()
            .endContainerStatus()
            .endStatus()
            .build();
    kubernetes = new VersionLook(new Deployment(), new Deployment(), List.of(pod), null, true);
  }

  /** Looks until a look decides. */
  <T> T outcome(Supplier<ProbeResult<T>> look) {
    for (int looks = 0; looks < 400; looks++) {
      try {
        ProbeResult<T> seen = look.get();
        if (seen instanceof ProbeResult.Done<T> done) {
          return done.result();
        }
        Assertions.assertThat(seen).isInstanceOf(ProbeResult.NotYet.class);
      } catch (FlinkRestException silent) {
        Assertions.assertThat(silent).isInstanceOf(FlinkRestException.Unreachable.class);
      }
      clock.advance(EACH_LOOK);
    }
    throw new AssertionError("no look decided");
  }
}
