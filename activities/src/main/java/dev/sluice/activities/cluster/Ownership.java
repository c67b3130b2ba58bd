package dev.sluice.activities.cluster;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;

/** Whose an object is, by its owner references; its name alone proves nothing. */
public enum Ownership {
  /** It belongs to this instance of the resource. Apache's operator sets the same reference. */
  OURS,
  /** It belongs to a resource of the same name that is gone; Kubernetes is about to collect it. */
  EARLIER_INSTANCE,
  /** It has another owner, or none. */
  SOMEBODY_ELSE;

  public static Ownership of(HasMetadata object, ResourceRef ref) {
    List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
    if (owners.stream().anyMatch(owner -> ref.uid().equals(owner.getUid()))) {
      return OURS;
    }
    return owners.stream().anyMatch(owner -> isNamesake(owner, ref))
        ? EARLIER_INSTANCE
        : SOMEBODY_ELSE;
  }

  /** It is ours and is not being deleted. */
  public static boolean isRunning(HasMetadata object, ResourceRef ref) {
    return of(object, ref) == OURS && object.getMetadata().getDeletionTimestamp() == null;
  }

  /** Whether it belongs to this very object. */
  public static boolean isOwnedBy(HasMetadata object, HasMetadata owner) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(reference -> Objects.equals(reference.getUid(), owner.getMetadata().getUid()));
  }

  private static boolean isNamesake(OwnerReference owner, ResourceRef ref) {
    return ref.kind().equals(owner.getKind()) && ref.name().equals(owner.getName());
  }

  /** The failure for an object of somebody else that has a name we need. */
  public static ApplicationFailure taken(HasMetadata object, ResourceRef ref) {
    return ApplicationFailure.newNonRetryableFailure(
        "%s; its name is needed for %s %s: rename one of them"
            .formatted(owners(object), ref.kind(), ref.display()),
        FailureType.NAME_TAKEN);
  }

  /** {@code Deployment orders belongs to Rollout x}. */
  public static String owners(HasMetadata object) {
    List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
    String name = object.getKind() + " " + object.getMetadata().getName();
    return owners.isEmpty()
        ? name + " has no owner"
        : name + " belongs to " + owners.get(0).getKind() + " " + owners.get(0).getName();
  }
}
