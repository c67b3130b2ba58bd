package dev.sluice.activities.bluegreen;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parents and children as the API server has them now. Every method blocks for a call or two. */
public final class BlueGreenStore {

  /** How the API server knows the kind. */
  static final ResourceType TYPE =
      new ResourceType(
          FlinkBlueGreenDeployment.GROUP,
          FlinkBlueGreenDeployment.VERSION,
          FlinkBlueGreenDeployment.KIND,
          FlinkBlueGreenDeployment.PLURAL);

  private final CustomResources resources;

  public BlueGreenStore(KubernetesClient client) {
    this.resources = new CustomResources(client);
  }

  /** This very instance; fails with {@code ResourceGone} when there is none any more. */
  FlinkBlueGreenDeployment read(ResourceRef ref) {
    return resources.get(TYPE, ref, FlinkBlueGreenDeployment.class);
  }

  /** The generation of its newest spec. */
  static long generation(FlinkBlueGreenDeployment parent) {
    return Objects.requireNonNullElse(parent.getMetadata().getGeneration(), 0L);
  }

  /** Who has the name of that child, whoever made it. */
  Optional<FlinkDeployment> find(ResourceRef parent, Color color) {
    return resources.find(
        FlinkDeploymentStore.TYPE,
        parent.namespace(),
        color.child(parent.name()),
        FlinkDeployment.class);
  }

  /** How things stand by the status, and by the children where that does not say all. */
  BlueGreenStanding standing(ResourceRef parent, FlinkBlueGreenDeploymentStatus status) {
    return BlueGreenStatus.standing(
        status,
        color ->
            find(parent, color).filter(it -> ChildReading.isOwned(it.getMetadata(), parent.uid())));
  }

  /** All that has the name of that child, whoever made it. */
  Optional<FoundChild> child(ResourceRef parent, Color color) {
    FlinkDeployment deployment = find(parent, color).orElse(null);
    if (deployment != null && deployment.getSpec().job() != null) {
      return Optional.of(new FoundChild.Application(deployment));
    }
    FlinkSessionJob job =
        resources
            .find(
                FlinkSessionJobStore.TYPE,
                parent.namespace(),
                color.child(parent.name()),
                FlinkSessionJob.class)
            // a kind of its own: somebody else's is in nobody's way where no child has one
            .filter(
                it -> deployment != null || ChildReading.isOwned(it.getMetadata(), parent.uid()))
            .orElse(null);
    return deployment == null && job == null
        ? Optional.empty()
        : Optional.of(new FoundChild.Session(deployment, job));
  }

  /** The very child that was seen, all of it of this parent; else fails with {@code Outdated}. */
  FoundChild same(ResourceRef parent, Color color, @Nullable String seen) {
    FoundChild child =
        child(parent, color)
            .filter(it -> it.uid().equals(seen))
            .orElseThrow(() -> BlueGreenStatus.outdated("the live child is another one"));
    child.all().forEach(it -> mustBeOurs(parent, it));
    return child;
  }

  /** What it says; empty when nobody has the name. */
  Optional<ChildSeen> see(ResourceRef parent, Color color) {
    return child(parent, color).map(it -> seen(parent, color, it));
  }

  /** The same; of the child that is live no more is believed than its state is known. */
  Optional<ChildSeen> see(ResourceRef parent, Color color, BlueGreenStanding standing) {
    return child(parent, color)
        .map(
            it -> color == standing.live() ? seenLive(parent, color, it) : seen(parent, color, it));
  }

  /**
   * Whether the old job of an exactly-once cut-over, which was stopped for the new one, may run
   * next to that.
   */
  boolean runsBeside(ResourceRef parent, BlueGreenStanding standing) {
    Begun transition = standing.transition();
    return transition != null
        && transition.cut() != null
        && standing.live() != null
        && see(parent, transition.to().other(), standing)
            .filter(it -> it.ours() && !it.deleting() && it.mayRun())
            .isPresent();
  }

  /** What it says, as it was read. */
  ChildSeen seen(ResourceRef parent, Color color, FoundChild child) {
    return ChildReading.of(
        parent.uid(),
        color,
        child,
        child instanceof FoundChild.Application application
            ? new Phase.Finished(ChildReading.left(application.deployment().getStatus()))
            : Phase.Finished.untold());
  }

  private ChildSeen seenLive(ResourceRef parent, Color color, FoundChild child) {
    return child instanceof FoundChild.Application application
        ? ChildReading.of(
            parent.uid(), color, child, ChildReading.finishedLive(application.deployment()))
        : seen(parent, color, child);
  }

  /** Refuses to touch what has the name of a child and is somebody else's. */
  static void mustBeOurs(ResourceRef parent, HasMetadata child) {
    if (!ChildReading.isOwned(child.getMetadata(), parent.uid())) {
      throw ApplicationFailure.newNonRetryableFailure(
          "%s %s/%s exists, and does not belong to %s. Delete or rename one of them"
              .formatted(
                  child.getKind(),
                  child.getMetadata().getNamespace(),
                  child.getMetadata().getName(),
                  parent.display()),
          FailureType.NAME_TAKEN);
    }
  }
}
