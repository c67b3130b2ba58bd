package dev.sluice.controller.admission;

import dev.sluice.api.validation.Violation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides whether an object may be stored. Refuses nothing but a new or changed spec that the
 * reconciler of its kind would not carry out. Pure, but for what the rules read from caches.
 */
public final class SpecAdmission {

  private final List<CheckedKind<?>> kinds;
  private final Predicate<String> namespaces;
  private final Set<String> ownUsers;
  private final KubernetesSerialization serialization;

  /**
   * @param kinds that are checked; objects of others are allowed
   * @param namespaces whether one is watched. Objects in others are allowed
   * @param ownUsers by whom Sluice itself writes, which is always allowed
   * @param serialization of the client whose informers read the objects once they are stored
   */
  public SpecAdmission(
      List<CheckedKind<?>> kinds,
      Predicate<String> namespaces,
      Collection<String> ownUsers,
      KubernetesSerialization serialization) {
    this.kinds = List.copyOf(kinds);
    this.namespaces = namespaces;
    this.ownUsers = Set.copyOf(ownUsers);
    this.serialization = serialization;
  }

  /** Whether it is about a kind that is checked. */
  boolean knows(Review review) {
    return kind(review).isPresent();
  }

  /**
   * The verdict of the rules; empty where they do not count: another kind, namespace or
   * subresource, a write of Sluice itself, an object that is being deleted, or one whose spec
   * stays.
   */
  Optional<Verdict> verdict(Review review) {
    boolean counts =
        namespaces.test(review.namespace())
            && review.isOfWholeObject()
            && !ownUsers.contains(review.user())
            && !review.isOfObjectThatGoes()
            && !review.keepsSpec();
    return kind(review).filter(it -> counts).map(it -> verdict(it, review));
  }

  private Optional<CheckedKind<?>> kind(Review review) {
    return kinds.stream().filter(it -> it.isOf(review)).findFirst();
  }

  private <R extends HasMetadata> Verdict verdict(CheckedKind<R> kind, Review review) {
    R resource;
    try {
      resource = serialization.convertValue(review.object(), kind.type());
    } catch (IllegalArgumentException unreadable) {
      return new Verdict(List.of(unreadable(unreadable)), List.of());
    }
    return kind.rules().apply(resource);
  }

  /** The controller could not read it, either. The message of Jackson names the field. */
  private static Violation unreadable(IllegalArgumentException failed) {
    return new Violation("spec", "cannot be read: " + failed.getMessage());
  }
}
