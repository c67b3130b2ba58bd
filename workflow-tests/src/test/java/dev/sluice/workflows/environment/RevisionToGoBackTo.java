package dev.sluice.workflows.environment;

import dev.sluice.workflows.environment.ResourceModel.Revision;
import org.jspecify.annotations.Nullable;

/** Which earlier spec the annotations of a resource ask for. */
final class RevisionToGoBackTo {

  private RevisionToGoBackTo() {}

  /** Null when that is none that is kept. */
  static @Nullable Revision of(ResourceModel resource) {
    RollbackAnnotations asked = resource.rollback();
    Spec frozen = resource.frozen();
    Long to = asked.to();
    if (frozen == null || !asked.isThere()) {
      return null;
    }
    if (to != null) {
      return to == frozen.generation() ? null : resource.revision(to);
    }
    boolean newerSpec = !resource.newest().content().equals(frozen.content());
    return newerSpec ? null : resource.before(frozen.generation());
  }
}
