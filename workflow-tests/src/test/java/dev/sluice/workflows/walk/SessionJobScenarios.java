package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.CORRECT;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.RESTORE_NEWEST;
import static dev.sluice.workflows.walk.Person.Reaction.RETRY;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.HostModel;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.SessionCluster.Leaving;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Jobs on the session cluster of somebody else, which may be away, or another one, at any time. */
final class SessionJobScenarios {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final JobShape AVAILABLE = HEALTHY.highlyAvailable();
  private static final Spec OLD = Spec.of("old", HEALTHY);
  private static final Spec OLD_HA = Spec.of("old", AVAILABLE);
  private static final Spec NEW = Spec.of("new", HEALTHY);
  private static final Spec NEW_HA = Spec.of("new", AVAILABLE);

  private SessionJobScenarios() {}

  static List<Scenario> all() {
    return Stream.of(
            Scenario.of("sessionjob-deploy", e -> e.resource().apply(NEW)),
            Scenario.of("sessionjob-deploy-ha", e -> e.resource().apply(NEW_HA)),
            Scenario.of(
                "sessionjob-deploy-without-cluster",
                e -> {
                  e.resource().apply(NEW);
                  host(e).delete();
                },
                HEAL),
            Scenario.of(
                "sessionjob-deploy-cluster-upgraded",
                e -> {
                  e.resource().apply(NEW);
                  host(e).replace();
                }),
            Scenario.of(
                "sessionjob-deploy-without-jar",
                e -> e.resource().apply(Spec.of("new", HEALTHY.starting(Start.REFUSED))),
                HEAL),
            Scenario.of(
                "sessionjob-deploy-refused",
                e -> e.resource().apply(Spec.of("new", HEALTHY.starting(Start.CRASHES))),
                RETRY,
                CORRECT),
            Scenario.of(
                "sessionjob-deploy-failing-aborted",
                e -> e.resource().apply(Spec.of("new", HEALTHY.starting(Start.FAILS))),
                ABORT),
            Scenario.of("sessionjob-upgrade", upgraded(OLD, NEW, e -> {})),
            Scenario.of("sessionjob-upgrade-ha", upgraded(OLD_HA, NEW_HA, e -> {})),
            Scenario.of(
                "sessionjob-upgrade-last-state",
                upgraded(OLD, NEW.mode(UpgradeMode.LAST_STATE), e -> {})),
            Scenario.of(
                "sessionjob-upgrade-stateless",
                upgraded(OLD, NEW.mode(UpgradeMode.STATELESS), e -> {})),
            Scenario.of(
                "sessionjob-upgrade-cluster-upgraded-ha",
                upgraded(OLD_HA, NEW_HA, e -> host(e).replace())),
            Scenario.of(
                "sessionjob-upgrade-cluster-upgraded",
                upgraded(OLD, NEW, e -> host(e).replace()),
                RESTORE_NEWEST),
            Scenario.of(
                "sessionjob-upgrade-cluster-deleted",
                upgraded(OLD, NEW, e -> host(e).delete()),
                HEAL,
                RESTORE_NEWEST),
            Scenario.of(
                "sessionjob-upgrade-silent",
                upgraded(OLD, NEW, Environment::silenceJobManager),
                HEAL),
            Scenario.of(
                "sessionjob-upgrade-to-refused-aborted",
                upgraded(OLD, Spec.of("new", HEALTHY.starting(Start.CRASHES)), e -> {}),
                ABORT),
            Scenario.of(
                "sessionjob-upgrade-to-failing-rolled-back",
                upgraded(
                    OLD,
                    Spec.of("new " + ResourceEffects.ROLLS_BACK, HEALTHY.starting(Start.FAILS)),
                    e -> {})),
            Scenario.of(
                "sessionjob-upgrade-without-jar",
                upgraded(OLD, Spec.of("new", HEALTHY.starting(Start.REFUSED)), e -> {}),
                HEAL),
            Scenario.of(
                "sessionjob-upgrade-without-jar-aborted",
                upgraded(OLD, Spec.of("new", HEALTHY.starting(Start.REFUSED)), e -> {}),
                ABORT),
            Scenario.of(
                "sessionjob-upgrade-proving",
                upgraded(OLD, Spec.of("new " + ResourceEffects.PROVES_ITSELF, HEALTHY), e -> {})),
            Scenario.of("sessionjob-upgrade-job-failed", upgraded(OLD, NEW, Environment::failJob)),
            Scenario.of("sessionjob-cluster-goes", leaving(OLD)),
            Scenario.of(
                "sessionjob-cluster-stays",
                e -> {
                  StraightOperator.deploy(e, OLD);
                  host(e).leave(Leaving.ABORTED_ONCE_SUSPENDED);
                }),
            Scenario.of("sessionjob-cluster-goes-ha", leaving(OLD_HA)),
            Scenario.of(
                "sessionjob-cluster-goes-last-state", leaving(OLD.mode(UpgradeMode.LAST_STATE))),
            Scenario.of(
                "sessionjob-cluster-goes-stateless", leaving(OLD.mode(UpgradeMode.STATELESS))),
            Scenario.of("sessionjob-suspend", upgraded(OLD, OLD.asSuspended(), e -> {})),
            Scenario.of(
                "sessionjob-suspend-last-state",
                upgraded(OLD, OLD.mode(UpgradeMode.LAST_STATE).asSuspended(), e -> {})),
            Scenario.of("sessionjob-resume", resumed(NEW, e -> {})),
            Scenario.of("sessionjob-resume-cluster-upgraded", resumed(NEW, e -> host(e).replace())),
            Scenario.of(
                "sessionjob-rollback-by-hand",
                e -> {
                  StraightOperator.upgrade(e, OLD, NEW);
                  e.resource().rollback().ask(null, false, e.resource());
                }),
            Scenario.of("sessionjob-recover", lost(Environment::killJobManager), RESTORE_NEWEST),
            Scenario.of("sessionjob-delete", deleted(OLD, e -> {})),
            Scenario.of("sessionjob-delete-ha", deleted(OLD_HA, e -> {})),
            Scenario.of("sessionjob-delete-with-savepoint", deleted(OLD.keptOnDeletion(), e -> {})),
            Scenario.of("sessionjob-delete-without-cluster", deleted(OLD, e -> host(e).delete())),
            Scenario.of(
                "sessionjob-delete-cluster-upgraded-ha", deleted(OLD_HA, e -> host(e).replace())),
            Scenario.of("sessionjob-delete-silent", deleted(OLD, Environment::silenceJobManager)))
        .map(Scenario::onSessionCluster)
        .toList();
  }

  private static HostModel host(Environment environment) {
    return Objects.requireNonNull(environment.host());
  }

  private static Consumer<Environment> leaving(Spec spec) {
    return e -> {
      StraightOperator.deploy(e, spec);
      host(e).leave(Leaving.REPLACED);
    };
  }

  private static Consumer<Environment> upgraded(Spec from, Spec to, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, from);
      before.accept(e);
      e.resource().apply(to);
    };
  }

  private static Consumer<Environment> resumed(Spec next, Consumer<Environment> before) {
    return e -> {
      StraightOperator.suspend(e, OLD);
      before.accept(e);
      e.resource().apply(next);
    };
  }

  /** The cluster answers, and does not know the job any more. */
  private static Consumer<Environment> lost(Consumer<Environment> loss) {
    return e -> {
      StraightOperator.deploy(e, OLD);
      loss.accept(e);
      e.tick(20);
    };
  }

  private static Consumer<Environment> deleted(Spec spec, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, spec);
      before.accept(e);
      e.resource().delete();
    };
  }
}
