package dev.sluice.e2e.crash;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.Shot;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.cluster.PartName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** Finds the processes that are to be killed. */
final class Kills {

  /** A process that starts is waited for; one that there is none of at this step is not there. */
  private static final Duration STARTING = Duration.ofSeconds(3);

  private final TestCluster cluster;
  private final Victim victim;

  Kills(TestCluster cluster, Victim victim) {
    this.cluster = cluster;
    this.victim = victim;
  }

  /** What to kill for each operation that is held; those of which nothing is there are left out. */
  Map<Track, Shot> aim(List<Track> held) {
    Map<Track, Shot> shots = new LinkedHashMap<>();
    if (victim.servesAll()) {
      Shot one = aimAtOneForAll();
      held.forEach(it -> shots.put(it, one));
    } else {
      held.forEach(it -> find(it).ifPresent(shot -> shots.put(it, shot)));
    }
    return shots;
  }

  private Shot aimAtOneForAll() {
    return switch (victim) {
      case WORKER, CONTROLLER -> cluster.aimAt(victim.toString());
      case TEMPORAL -> cluster.aimAt(PartName.TEMPORAL);
      case KUBE_APISERVER -> {
        Shot server = cluster.aimAt(PartName.KUBE_APISERVER);
        // its watches back off to half a minute when the API server is killed again and again
        yield new Shot(
            server.process(),
            () -> {
              server.bringBack().run();
              cluster.killAndStart(PartName.KUBE_CONTROLLER_MANAGER);
            });
      }
      case JOBMANAGER, TASKMANAGER -> throw new IllegalStateException(victim + " is a job's own");
    };
  }

  private Optional<Shot> find(Track track) {
    try {
      return await()
          .atMost(STARTING)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptions()
          .until(
              () -> track.survivor().pod(victim).flatMap(TestCluster::aimAt), Optional::isPresent);
    } catch (ConditionTimeoutException none) {
      return Optional.empty();
    }
  }
}
