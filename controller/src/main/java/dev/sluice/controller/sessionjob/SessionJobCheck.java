package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.SessionJobDiff;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest spec of a session job, checked, and compared with the frozen one.
 *
 * @param violations why the newest spec is not valid; empty when it is, and while deleting
 * @param ignored fields of the newest spec that have no effect, each with its path
 * @param frozen the spec that is, or is being, deployed; null when there never was one, or when it
 *     cannot be read
 * @param changes fields in which the newest spec differs from the frozen one in a way that needs an
 *     operation, secrets masked; empty when none
 */
public record SessionJobCheck(
    List<Violation> violations,
    List<String> ignored,
    @Nullable FrozenSessionJob frozen,
    List<String> changes) {

  private static final Violation UNREADABLE =
      new Violation(
          "status.reconciliationStatus.lastReconciledSpec",
          "cannot be read, so what is deployed is not known; restore it from a backup, or delete"
              + " the resource and create it again");

  public SessionJobCheck {
    violations = List.copyOf(violations);
    ignored = List.copyOf(ignored);
    changes = List.copyOf(changes);
  }

  /**
   * Checks a spec that is about to be stored. What breaks a rule only because of how its cluster is
   * deployed now has no effect yet, and is no violation: both may be changed together.
   *
   * @param cluster that it names, as far as it is known; null when it is not
   */
  static SessionJobCheck beforeStored(FlinkSessionJob resource, @Nullable FlinkDeployment cluster) {
    SessionJobCheck now = of(resource, cluster == null ? SessionCluster.MISSING : rules(cluster));
    if (cluster == null) {
      return now;
    }
    List<Violation> later = of(resource, SeenCluster.asWanted(cluster)).violations;
    List<String> ignored = new ArrayList<>(now.ignored);
    now.violations.stream()
        .filter(it -> !later.contains(it))
        .map(it -> "as the session cluster is now: " + it)
        .forEach(ignored::add);
    return new SessionJobCheck(
        now.violations.stream().filter(later::contains).toList(), ignored, now.frozen, now.changes);
  }

  private static SessionCluster rules(FlinkDeployment cluster) {
    return SeenCluster.of(cluster.getMetadata().getName(), cluster).forRules();
  }

  /** Checks the spec of a resource, with what its cluster configures. */
  static SessionJobCheck of(FlinkSessionJob resource, SeenCluster cluster) {
    return of(resource, cluster.forRules());
  }

  private static SessionJobCheck of(FlinkSessionJob resource, SessionCluster cluster) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    FrozenSessionJob frozen;
    try {
      frozen = resource.getStatus().lastReconciled();
    } catch (IllegalArgumentException unreadable) {
      // starting a job beside one that may run is the one thing not to do
      return new SessionJobCheck(
          deleting ? List.of() : List.of(UNREADABLE), List.of(), null, List.of());
    }
    return new SessionJobCheck(
        deleting ? List.of() : SessionJobValidation.validate(resource, frozen, cluster),
        SessionJobValidation.warnings(resource, cluster).stream().map(Warning::toString).toList(),
        frozen,
        frozen == null ? List.of() : changes(frozen.spec(), resource.getSpec()));
  }

  /** The same of the frozen spec against the last stable one; empty when that cannot be told. */
  List<String> changesSinceStable(FlinkSessionJobStatus status) {
    try {
      FrozenSessionJob before = frozen == null ? null : status.lastStable();
      return frozen == null || before == null ? List.of() : changes(before.spec(), frozen.spec());
    } catch (IllegalArgumentException unreadable) {
      return List.of();
    }
  }

  private static List<String> changes(FlinkSessionJobSpec before, FlinkSessionJobSpec after) {
    SpecDiff diff = SessionJobDiff.between(before, after);
    return diff.kind().needsOperation()
        ? diff.changes().stream().map(SpecChange::toString).toList()
        : List.of();
  }

  /** Whether the newest spec may be deployed. */
  boolean isValid() {
    return violations.isEmpty();
  }

  /** Whether the newest spec is the frozen one, but for fields that need no operation. */
  boolean sameAsFrozen() {
    return frozen != null && changes.isEmpty();
  }
}
