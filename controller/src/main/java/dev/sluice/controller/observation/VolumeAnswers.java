package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.VolumeProblems;
import dev.sluice.controller.common.SingleTry;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why pods wait for their volumes, which is asked for when one waits for long, and then once in a
 * while: each question is a call to the API server. Remembers the last answers.
 */
public final class VolumeAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(VolumeAnswers.class);
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int MOST = 10_000;

  private final Function<Pod, Optional<PodProblem>> question;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param question blocks for one short call, and throws when Kubernetes does not answer
   */
  VolumeAnswers(Function<Pod, Optional<PodProblem>> question) {
    this.question = question;
  }

  /**
   * Asks the API server.
   *
   * @param client stays the caller's to close
   */
  public static VolumeAnswers from(KubernetesClient client) {
    return new VolumeAnswers(new VolumeProblems(SingleTry.of(client))::of);
  }

  /** Blocks for one short call now and then, if the pod waits for its volumes for long. */
  Answer of(Pod pod, Instant now) {
    Instant askAt = VolumeProblems.askAt(pod).orElse(null);
    if (askAt == null) {
      return Answer.NOTHING;
    }
    if (askAt.isAfter(now)) {
      return new Answer(Optional.empty(), Optional.of(askAt));
    }
    String uid = pod.getMetadata().getUid();
    Known last = last(uid);
    Known answer =
        last == null || !now.isBefore(last.at.plus(AGAIN)) ? new Known(now, ask(pod, last)) : last;
    keep(uid, answer);
    return new Answer(answer.problem, Optional.of(answer.at.plus(AGAIN)));
  }

  private Optional<PodProblem> ask(Pod pod, @Nullable Known before) {
    try {
      return question.apply(pod);
    } catch (KubernetesClientException unanswered) {
      LOG.debug("Events of {}: {}", pod.getMetadata().getName(), unanswered.getMessage());
      return before == null ? Optional.empty() : before.problem;
    }
  }

  private synchronized @Nullable Known last(String uid) {
    return known.get(uid);
  }

  private synchronized void keep(String uid, Known answer) {
    known.put(uid, answer);
  }

  /**
   * @param problem what the pod waits for; empty when that is not known, or it does not wait
   * @param again when to look again although nothing may happen before
   */
  record Answer(Optional<PodProblem> problem, Optional<Instant> again) {
    static final Answer NOTHING = new Answer(Optional.empty(), Optional.empty());
  }

  private record Known(Instant at, Optional<PodProblem> problem) {}
}
