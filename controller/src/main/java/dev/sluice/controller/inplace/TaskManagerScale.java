package dev.sluice.controller.inplace;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Scales the Deployment of TaskManagers whose job takes what slots there are. Nothing else of it is
 * touched, and none is made.
 */
public final class TaskManagerScale {

  /** While it is waited for a snapshot; that of somebody else wakes nobody. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final KubernetesClient client;
  private final Attempts attempts;
  private final Corrections corrections;
  private final SnapshotWaits waits;

  /**
   * @param client stays the caller's to close
   * @param clock measures the pauses between writes of one Deployment
   */
  public TaskManagerScale(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.attempts = new Attempts(clock);
    this.corrections = new Corrections(clock);
    this.waits = new SnapshotWaits(clock);
  }

  /**
   * Scales it, if it has another number of replicas; with fewer, not while a snapshot is taken.
   *
   * @param there as the informer has it; a write to a newer one is refused, which may have been
   *     scaled to 0 because its job has ended
   * @param wanted TaskManagers, at least 1
   * @param inProgress name of a snapshot that fails when a TaskManager goes; empty when none is
   *     known
   */
  public InPlaceOutcome bring(
      ResourceRef ref, Deployment there, int wanted, Supplier<Optional<String>> inProgress) {
    Integer replicas = there.getSpec().getReplicas();
    int has = replicas == null ? 1 : replicas;
    if (has == wanted) {
      attempts.done(ref.uid());
      waits.done(ref.uid());
      Duration review = corrections.right(ref.uid());
      return review.isZero() ? InPlaceOutcome.DONE : InPlaceOutcome.later(review);
    }
    // its version changes with each pod: that is no reason to try again
    String content = wanted + " of " + there.getMetadata().getUid();
    Duration pause = corrections.pause(ref.uid(), content);
    if (!pause.isZero()) {
      return corrections.areOfNoUse(ref.uid(), content)
          ? scaledByOthers(ref, there, wanted, pause)
          : InPlaceOutcome.later(pause);
    }
    return (wanted < has ? inProgress.get() : Optional.<String>empty())
        .flatMap(snapshot -> waiting(ref, content, snapshot, wanted, has))
        .orElseGet(() -> write(ref, there.getMetadata(), content, wanted, has));
  }

  /** It is missing, and no operation makes it again. */
  public static InPlaceOutcome missing(ResourceRef ref) {
    return InPlaceOutcome.held(
        Reasons.CLUSTER_NOT_READY,
        "Deployment %s-taskmanager, which makes the TaskManagers, is missing: no job can run. [Change spec.restartNonce: the upgrade makes it again.]"
            .formatted(ref.name()),
        Corrections.QUIET);
  }

  private static InPlaceOutcome scaledByOthers(
      ResourceRef ref, Deployment there, int wanted, Duration pause) {
    return InPlaceOutcome.held(
        Reasons.SCALED_BY_OTHERS,
        ("Something else scales Deployment %s: Sluice has scaled it to %d again and again, and tries"
                + " every %d minutes now. [Let it scale FlinkDeployment %s instead.]")
            .formatted(
                there.getMetadata().getName(), wanted, Corrections.QUIET.toMinutes(), ref.name()),
        pause);
  }

  private Optional<InPlaceOutcome> waiting(
      ResourceRef ref, String content, String snapshot, int wanted, int has) {
    return switch (waits.await(ref.uid(), content)) {
      case BEGINS ->
          Optional.of(
              InPlaceOutcome.later(
                  LOOK_AGAIN,
                  StatusEvent.normal(
                      EventReasons.SCALING,
                      "TaskManagers: %d instead of %d when snapshot %s is taken, or in %d minutes."
                          .formatted(wanted, has, snapshot, SnapshotWaits.LONGEST.toMinutes()))));
      case GOES_ON -> Optional.of(InPlaceOutcome.later(LOOK_AGAIN));
      case IS_OVER -> Optional.empty();
    };
  }

  private InPlaceOutcome write(
      ResourceRef ref, ObjectMeta metadata, String content, int wanted, int has) {
    return attempts.write(
        ref.uid(),
        content,
        "scale Deployment " + metadata.getName(),
        () -> {
          scale(metadata, wanted);
          corrections.add(ref.uid(), content);
        },
        StatusEvent.normal(
            EventReasons.SCALING,
            "TaskManagers: %d instead of %d; Flink uses them when it rescales."
                .formatted(wanted, has)),
        why ->
            ("Kubernetes refuses another number of TaskManagers: %s. Correct spec.taskManager.replicas,"
                    + " or remove what refuses it.")
                .formatted(why));
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    attempts.done(ref.uid());
    corrections.forget(ref.uid());
    waits.done(ref.uid());
  }

  private void scale(ObjectMeta metadata, int wanted) {
    Scale scale =
        new ScaleBuilder()
            .withNewMetadata()
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .endMetadata()
            .withNewSpec()
            .withReplicas(wanted)
            .endSpec()
            .build();
    Scale unused =
        client
            .apps()
            .deployments()
            .inNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .scale(scale);
  }
}
