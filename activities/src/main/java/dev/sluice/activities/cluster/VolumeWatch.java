package dev.sluice.activities.cluster;

import dev.sluice.activities.async.Throttle;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The volumes that pods of a cluster wait for, for a wait that looks again and again: asked for
 * once in a while, one question after the other, and only while a pod waits for long. One instance
 * watches one cluster.
 */
public final class VolumeWatch {

  private static final Duration AGAIN = Duration.ofSeconds(10);

  /** The pods of a cluster have few templates, and each question is a call to the API server. */
  private static final int MOST_PODS = 3;

  private final ClusterRef cluster;
  private final ClusterAccess access;
  private final Throttle seldom;
  private List<PodProblem> last = List.of();

  public VolumeWatch(ClusterRef cluster, ClusterAccess access) {
    this.cluster = cluster;
    this.access = access;
    this.seldom = new Throttle(access.clock(), AGAIN);
  }

  /**
   * What pods wait for, as far as it is known; blocks when it is asked for. A lasting one comes
   * first; it is one that the API server has confirmed, and nothing was missed since.
   *
   * @param pods of the cluster, as the cache has them
   */
  public List<PodProblem> of(List<Pod> pods) {
    if (waiting(pods).findAny().isEmpty()) {
      last = List.of();
    } else if (seldom.isDue()) {
      try {
        last = found();
      } catch (RuntimeException unanswered) {
        last = mayPass(last);
      }
    }
    return access.cache().synced() ? last : mayPass(last);
  }

  /** Of the pods that wait also by what the API server says, those that wait longest. */
  private List<PodProblem> found() {
    List<PodProblem> found = new ArrayList<>();
    List<Pod> asked = waiting(access.live().pods(cluster)).limit(MOST_PODS).toList();
    for (Pod pod : asked) {
      Optional<PodProblem> problem = access.live().volumeProblem(pod);
      if (problem.filter(PodProblem::lasting).isPresent()) {
        return problem.stream().toList();
      }
      problem.ifPresent(found::add);
    }
    return found;
  }

  private Stream<Pod> waiting(List<Pod> pods) {
    Instant now = access.clock().instant();
    return pods.stream()
        .filter(pod -> VolumeProblems.askAt(pod).filter(at -> !at.isAfter(now)).isPresent())
        .sorted(Comparator.comparing(pod -> VolumeProblems.askAt(pod).orElse(now)));
  }

  private static List<PodProblem> mayPass(List<PodProblem> problems) {
    return problems.stream().map(PodProblem::mayPass).toList();
  }
}
