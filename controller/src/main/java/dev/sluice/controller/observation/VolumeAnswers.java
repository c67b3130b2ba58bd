package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.VolumeProblems;
import dev.sluice.controller.common.SingleTry;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why pods wait for their volumes, which is asked for when one waits for long, and then once in a
 * while: each question is a call to the API server. So a reconciliation asks one, after what it has
 * decided is on its way, and only about the first pods of a cluster. Remembers the last answers.
 * While Kubernetes is not available, no question is asked for a while.
 */
public final class VolumeAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(VolumeAnswers.class);
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int MOST = 10_000;

  /** The pods of a cluster have few templates. */
  private static final int MOST_PODS = 3;

  private final Clock clock;
  private final Function<Pod, Optional<PodProblem>> question;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST;
        }
      };

  private Instant paused = Instant.EPOCH;

  /**
   * @param question blocks for one short call, and throws when Kubernetes does not answer
   */
  VolumeAnswers(Function<Pod, Optional<PodProblem>> question, Clock clock) {
    this.question = question;
    this.clock = clock;
  }

  /**
   * Asks the API server.
   *
   * @param client stays the caller's to close
   */
  public static VolumeAnswers from(KubernetesClient client, Clock clock) {
    return new VolumeAnswers(new VolumeProblems(SingleTry.of(client))::of, clock);
  }

  /** What is known now of the pods of one cluster. */
  Answers of(Collection<Pod> pods) {
    Map<String, PodProblem> problems = new HashMap<>();
    for (Pod pod : first(pods)) {
      Known last = last(uid(pod));
      if (last != null) {
        last.problem.ifPresent(problem -> problems.put(uid(pod), problem));
      }
    }
    return new Answers(problems, first(pods).stream().map(this::due).min(Instant::compareTo));
  }

  /**
   * Asks the API server about one of the pods of a cluster, if that is due. Blocks for one short
   * call.
   */
  public void ask(Collection<Pod> pods) {
    Instant now = clock.instant();
    first(pods).stream()
        .filter(pod -> !due(pod).isAfter(now))
        .findFirst()
        .ifPresent(pod -> answered(uid(pod), ask(pod)));
  }

  private Optional<PodProblem> ask(Pod pod) {
    try {
      return question.apply(pod);
    } catch (KubernetesClientException unanswered) {
      LOG.debug("Events of {}: {}", pod.getMetadata().getName(), unanswered.getMessage());
      if (SingleTry.isUnavailable(unanswered)) {
        pause();
      }
      Known before = last(uid(pod));
      return before == null ? Optional.empty() : before.problem;
    }
  }

  /** Those that wait with a node, of JobManagers before those of TaskManagers. */
  private static List<Pod> first(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> VolumeProblems.askAt(pod).isPresent())
        .sorted(Comparator.comparing(ClusterProblems::component).thenComparing(VolumeAnswers::uid))
        .limit(MOST_PODS)
        .toList();
  }

  /** When to ask about it; in the past when it is time. */
  private synchronized Instant due(Pod pod) {
    Known last = known.get(uid(pod));
    Instant again = last == null ? askAt(pod) : last.at.plus(AGAIN);
    return again.isBefore(paused) ? paused : again;
  }

  private static Instant askAt(Pod pod) {
    return VolumeProblems.askAt(pod).orElse(Instant.MAX);
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }

  private synchronized @Nullable Known last(String uid) {
    return known.get(uid);
  }

  private synchronized void answered(String uid, Optional<PodProblem> problem) {
    known.put(uid, new Known(clock.instant(), problem));
  }

  private synchronized void pause() {
    paused = clock.instant().plus(AGAIN);
  }

  /**
   * What the pods of a cluster wait for.
   *
   * @param problems by the uid of the pod
   * @param again when to look again although nothing may happen before: in the past when a question
   *     is to be asked at once; empty when no pod waits
   */
  record Answers(Map<String, PodProblem> problems, Optional<Instant> again) {}

  private record Known(Instant at, Optional<PodProblem> problem) {}
}
