package dev.sluice.controller.sessionjob;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.status.SpecCheck;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the spec of a FlinkSessionJob. */
final class SessionJobCheck {

  private SessionJobCheck() {}

  /**
   * Checks a spec that is about to be stored. What breaks a rule only because of how its cluster is
   * deployed now has no effect yet, and is no violation: both may be changed together.
   *
   * @param cluster that it names, as far as it is known; null when it is not
   */
  static SpecCheck<FrozenSessionJob> beforeStored(
      FlinkSessionJob resource, @Nullable FlinkDeployment cluster) {
    SpecCheck<FrozenSessionJob> now =
        of(resource, cluster == null ? SessionCluster.MISSING : rules(cluster));
    if (cluster == null) {
      return now;
    }
    List<Violation> later = of(resource, SeenCluster.asWanted(cluster)).violations();
    List<String> ignored = new ArrayList<>(now.ignored());
    now.violations().stream()
        .filter(it -> !later.contains(it))
        .map(it -> "as the session cluster is now: " + it)
        .forEach(ignored::add);
    return new SpecCheck<>(
        now.violations().stream().filter(later::contains).toList(),
        ignored,
        now.frozen(),
        now.changes());
  }

  private static SessionCluster rules(FlinkDeployment cluster) {
    return SeenCluster.of(cluster.getMetadata().getName(), cluster).forRules();
  }

  /** Checks the spec of a resource, with what its cluster configures. */
  static SpecCheck<FrozenSessionJob> of(FlinkSessionJob resource, SeenCluster cluster) {
    return of(resource, cluster.forRules());
  }

  private static SpecCheck<FrozenSessionJob> of(FlinkSessionJob resource, SessionCluster cluster) {
    return SpecCheck.of(
        resource,
        resource.getStatus()::lastReconciled,
        frozen -> SessionJobValidation.validate(resource, frozen, cluster),
        SessionJobValidation.warnings(resource, cluster),
        frozen -> frozen.spec().changesTo(resource.getSpec()).changesByOperation());
  }
}
