package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The children that a FlinkBlueGreenDeployment owns, as the informer has them.
 *
 * @param blue null when there is none
 * @param green null when there is none
 * @param jobs FlinkSessionJobs of those that are session clusters, by colour
 */
record KnownChildren(
    @Nullable FlinkDeployment blue,
    @Nullable FlinkDeployment green,
    Map<Color, FlinkSessionJob> jobs) {

  KnownChildren {
    jobs = Map.copyOf(jobs);
  }

  /** Those of that parent; others of such names are somebody else's. */
  static KnownChildren of(
      ResourceRef parent, Collection<FlinkDeployment> seen, Collection<FlinkSessionJob> jobs) {
    return new KnownChildren(
        find(parent, Color.BLUE, seen),
        find(parent, Color.GREEN, seen),
        Stream.of(Color.values())
            .flatMap(
                color ->
                    Stream.ofNullable(find(parent, color, jobs)).map(it -> Map.entry(color, it)))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static <T extends HasMetadata> @Nullable T find(
      ResourceRef parent, Color color, Collection<T> seen) {
    return seen.stream()
        .filter(child -> child.getMetadata().getName().equals(color.child(parent.name())))
        .filter(child -> isOwned(child, parent))
        .findFirst()
        .orElse(null);
  }

  /** Whether it is of this very parent. */
  static boolean isOwned(HasMetadata child, ResourceRef parent) {
    return child.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(parent.uid()::equals);
  }

  Optional<FlinkDeployment> child(Color color) {
    return Optional.ofNullable(color == Color.BLUE ? blue : green);
  }

  /** What it says of itself and its job. */
  Optional<ShownChild> shown(Color color) {
    return child(color)
        .map(
            it ->
                it.getSpec().isApplication()
                    ? new ShownChild.Application(it)
                    : new ShownChild.Session(it, jobs.get(color)));
  }

  /** The same with that child. */
  KnownChildren with(Color color, FlinkDeployment child) {
    return color == Color.BLUE
        ? new KnownChildren(child, green, jobs)
        : new KnownChildren(blue, child, jobs);
  }

  /** The same with that job. */
  KnownChildren withJob(Color color, FlinkSessionJob job) {
    Map<Color, FlinkSessionJob> all = new HashMap<>(jobs);
    all.put(color, job);
    return new KnownChildren(blue, green, all);
  }

  boolean areNone() {
    return blue == null && green == null && jobs.isEmpty();
  }
}
