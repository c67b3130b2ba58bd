package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.CORRECT;
import static dev.sluice.workflows.walk.Person.Reaction.DELETE;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL_AND_RETRY;
import static dev.sluice.workflows.walk.Person.Reaction.RESTORE_EMPTY;
import static dev.sluice.workflows.walk.Person.Reaction.RESTORE_NEWEST;
import static dev.sluice.workflows.walk.Person.Reaction.REVERT;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The operations and the shapes of jobs that every fault and every request is tried on. */
final class Scenarios {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  static final Spec OLD = Spec.of("old", HEALTHY);
  private static final Spec OLD_HA = Spec.of("old", HEALTHY.highlyAvailable());
  private static final Spec NEW = Spec.of("new", HEALTHY);
  private static final Spec NEW_HA = Spec.of("new", HEALTHY.highlyAvailable());

  private Scenarios() {}

  /** All of them. */
  static List<Scenario> all() {
    return Stream.of(
            ordinary(),
            FirstStartScenarios.all(),
            MetadataSuspensionScenarios.all(),
            ProvingScenarios.all(),
            RescaleScenarios.all(),
            RollbackScenarios.all(),
            SessionScenarios.all(),
            SessionJobScenarios.all(),
            StandaloneScenarios.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Scenario> ordinary() {
    return List.of(
        Scenario.of("deploy", e -> e.resource().apply(NEW)),
        Scenario.of(
            "deploy-from-savepoint",
            e -> e.resource().apply(NEW.startingFrom(e.savepointOfAnother(50)))),
        Scenario.of("deploy-stateless", e -> e.resource().apply(NEW.mode(UpgradeMode.STATELESS))),
        Scenario.of("deploy-without-image", first(Start.IMAGE_MISSING), HEAL),
        Scenario.of("deploy-refused", first(Start.REFUSED), HEAL),
        Scenario.of("deploy-crashing", first(Start.CRASHES), CORRECT),
        Scenario.of("deploy-failing-aborted", first(Start.FAILS), ABORT),
        Scenario.of("upgrade", upgrade(HEALTHY, e -> {})),
        Scenario.of("upgrade-stateless", e -> upgrade(e, OLD, NEW.mode(UpgradeMode.STATELESS))),
        Scenario.of("upgrade-last-state", e -> upgrade(e, OLD, NEW.mode(UpgradeMode.LAST_STATE))),
        Scenario.of(
            "upgrade-last-state-no-checkpoints",
            e ->
                upgrade(
                    e,
                    Spec.of("old", HEALTHY.checkpointingEvery(0)),
                    NEW.mode(UpgradeMode.LAST_STATE))),
        Scenario.of("upgrade-with-ha", upgrade(HEALTHY.highlyAvailable(), e -> {})),
        Scenario.of("upgrade-ha-silent", available(NEW_HA, Environment::silenceJobManager)),
        Scenario.of(
            "upgrade-ha-silent-last-state",
            available(NEW_HA.mode(UpgradeMode.LAST_STATE), Environment::silenceJobManager)),
        Scenario.of(
            "upgrade-ha-not-cancelled",
            available(NEW_HA.mode(UpgradeMode.LAST_STATE).notCancelling(), e -> {})),
        Scenario.of(
            "upgrade-ha-deployment-deleted",
            available(NEW_HA, Environment::deleteDeploymentByHand)),
        Scenario.of(
            "upgrade-ha-metadata-lost", available(NEW_HA, Scenarios::loseAll), RESTORE_NEWEST),
        Scenario.of(
            "upgrade-ha-silent-to-no-ha",
            available(NEW, Environment::silenceJobManager),
            RESTORE_NEWEST),
        Scenario.of(
            "upgrade-ha-silent-to-crashing-aborted",
            available(
                Spec.of("new", HEALTHY.highlyAvailable().starting(Start.CRASHES)),
                Environment::silenceJobManager),
            ABORT),
        Scenario.of(
            "upgrade-ha-silent-to-no-slots-retried",
            available(
                Spec.of("new", HEALTHY.highlyAvailable().starting(Start.NO_SLOTS)),
                Environment::silenceJobManager),
            HEAL_AND_RETRY),
        Scenario.of(
            "upgrade-ha-silent-to-no-slots-aborted",
            available(
                Spec.of("new", HEALTHY.highlyAvailable().starting(Start.NO_SLOTS)),
                Environment::silenceJobManager),
            ABORT),
        Scenario.of("upgrade-finished-source", upgrade(HEALTHY.withFinishedTasks(1), e -> {})),
        Scenario.of("upgrade-retention-deleted", upgrade(HEALTHY.deletingCheckpoints(), e -> {})),
        Scenario.of("upgrade-no-checkpoints", upgrade(HEALTHY.checkpointingEvery(0), e -> {})),
        Scenario.of("upgrade-failing-over", upgrade(HEALTHY, Environment::failOver)),
        Scenario.of("upgrade-stuck", upgrade(HEALTHY, Environment::loseSlots)),
        Scenario.of(
            "upgrade-stuck-no-checkpoints",
            upgrade(HEALTHY.checkpointingEvery(0), Environment::loseSlots),
            HEAL),
        Scenario.of(
            "upgrade-stuck-retention-deleted",
            upgrade(HEALTHY.deletingCheckpoints(), Environment::loseSlots),
            HEAL_AND_RETRY),
        Scenario.of("upgrade-job-failed", upgrade(HEALTHY, Environment::failJob)),
        Scenario.of("upgrade-job-finished", upgrade(HEALTHY, Environment::finishJob)),
        Scenario.of("upgrade-job-manager-restarts", upgrade(HEALTHY, Environment::killJobManager)),
        Scenario.of("upgrade-flink-away", upgrade(HEALTHY, e -> e.flinkAway(1_000)), HEAL),
        Scenario.of(
            "upgrade-deployment-deleted",
            upgrade(HEALTHY, Environment::deleteDeploymentByHand),
            RESTORE_NEWEST),
        Scenario.of(
            "upgrade-deployment-deleted-empty",
            upgrade(HEALTHY, Environment::deleteDeploymentByHand),
            RESTORE_EMPTY),
        Scenario.of("upgrade-to-crashing-aborted", to(Start.CRASHES), ABORT),
        Scenario.of("upgrade-to-crashing-corrected", to(Start.CRASHES), CORRECT),
        Scenario.of("upgrade-to-failing-aborted", to(Start.FAILS), ABORT),
        Scenario.of("upgrade-to-no-slots-retried", to(Start.NO_SLOTS), HEAL_AND_RETRY),
        Scenario.of("upgrade-to-no-slots-healed", to(Start.NO_SLOTS), HEAL),
        Scenario.of("upgrade-to-no-slots-aborted", to(Start.NO_SLOTS), ABORT),
        Scenario.of("upgrade-without-image", to(Start.IMAGE_MISSING), HEAL),
        Scenario.of("upgrade-refused", to(Start.REFUSED), HEAL),
        Scenario.of("upgrade-savepoint-fails", savepoint(SavepointEnd.FAILS), HEAL_AND_RETRY),
        Scenario.of("upgrade-savepoint-fails-reverted", savepoint(SavepointEnd.FAILS), REVERT),
        Scenario.of("upgrade-savepoint-fails-aborted", savepoint(SavepointEnd.FAILS), ABORT),
        Scenario.of("upgrade-savepoint-long", savepoint(SavepointEnd.TAKES_LONG)),
        Scenario.of("upgrade-savepoint-late", savepoint(SavepointEnd.COMPLETES_LATE)),
        Scenario.of(
            "upgrade-savepoint-late-aborted", savepoint(SavepointEnd.COMPLETES_LATE), ABORT),
        Scenario.of("upgrade-savepoint-fails-late", savepoint(SavepointEnd.FAILS_LATE), HEAL),
        Scenario.of("second-upgrade-failing-aborted", second(Start.FAILS, "new"), ABORT),
        Scenario.of(
            "second-upgrade-rolled-back",
            second(Start.CRASHES, "new " + ResourceEffects.ROLLS_BACK)),
        Scenario.of("redeploy", redeploy(OLD, Start.COMES_UP)),
        Scenario.of(
            "redeploy-savepoint-fails",
            redeploy(Spec.of("old", HEALTHY.savepointing(SavepointEnd.FAILS)), Start.COMES_UP),
            HEAL_AND_RETRY),
        Scenario.of("redeploy-failing-aborted", redeploy(OLD, Start.FAILS), ABORT),
        Scenario.of(
            "redeploy-stuck",
            e -> {
              StraightOperator.deploy(e, OLD);
              e.loseSlots();
              e.resource().apply(NEW.redeployedFrom(e.savepointOfAnother(5)));
            }),
        Scenario.of(
            "redeploy-suspended",
            e -> {
              StraightOperator.suspend(e, OLD);
              e.resource().apply(NEW.redeployedFrom(e.savepointOfAnother(5)));
            }),
        Scenario.of("upgrade-parked-deleted", to(Start.NO_SLOTS), DELETE),
        Scenario.of("suspend", e -> upgrade(e, OLD, OLD.asSuspended())),
        Scenario.of(
            "suspend-last-state",
            e -> upgrade(e, OLD, OLD.mode(UpgradeMode.LAST_STATE).asSuspended())),
        Scenario.of(
            "suspend-stateless",
            e -> upgrade(e, OLD, OLD.mode(UpgradeMode.STATELESS).asSuspended())),
        Scenario.of(
            "suspend-savepoint-fails",
            e ->
                upgrade(
                    e, Spec.of("old", HEALTHY.savepointing(SavepointEnd.FAILS)), OLD.asSuspended()),
            ABORT),
        Scenario.of(
            "suspend-stuck",
            e -> {
              StraightOperator.deploy(e, OLD);
              e.loseSlots();
              e.resource().apply(OLD.asSuspended());
            }),
        Scenario.of("suspended-from-the-first", e -> e.resource().apply(NEW.asSuspended())),
        Scenario.of("resume", resume(OLD, OLD)),
        Scenario.of("resume-newer", resume(OLD, NEW)),
        Scenario.of("resume-stateless", resume(OLD, NEW.mode(UpgradeMode.STATELESS))),
        Scenario.of("resume-last-state", resume(OLD, NEW.mode(UpgradeMode.LAST_STATE))),
        Scenario.of(
            "resume-failing-aborted",
            resume(OLD, Spec.of("new", HEALTHY.starting(Start.FAILS))),
            ABORT),
        Scenario.of("suspended-again", resume(OLD, NEW.asSuspended())),
        Scenario.of(
            "delete-suspended",
            e -> {
              StraightOperator.suspend(e, OLD);
              e.resource().delete();
            }),
        Scenario.of("rolled-back-failing", e -> upgrade(e, OLD, rollingBack(Start.FAILS))),
        Scenario.of("rolled-back-crashing", e -> upgrade(e, OLD, rollingBack(Start.CRASHES))),
        Scenario.of("rolled-back-no-slots", e -> upgrade(e, OLD, rollingBack(Start.NO_SLOTS))),
        Scenario.of(
            "rolled-back-stateless",
            e ->
                upgrade(
                    e,
                    OLD.mode(UpgradeMode.STATELESS),
                    rollingBack(Start.FAILS).mode(UpgradeMode.STATELESS))),
        Scenario.of("rollback-by-hand", rollback(NEW, false, e -> {})),
        Scenario.of("rollback-by-hand-newest-state", rollback(NEW, true, e -> {})),
        Scenario.of("rollback-by-hand-job-failed", rollback(NEW, false, Environment::failJob)),
        Scenario.of("recover-ha", lost(OLD_HA, Environment::deleteDeploymentByHand)),
        Scenario.of(
            "recover-stateless",
            lost(OLD.mode(UpgradeMode.STATELESS), Environment::deleteDeploymentByHand)),
        Scenario.of(
            "recover-without-ha", lost(OLD, Environment::deleteDeploymentByHand), RESTORE_NEWEST),
        Scenario.of("recover-unhealthy", lost(OLD, Environment::unhealthy)),
        Scenario.of(
            "recover-unhealthy-without-checkpoints",
            lost(Spec.of("old", HEALTHY.checkpointingEvery(0)), Environment::unhealthy)),
        Scenario.of(
            "recover-ha-metadata-lost",
            lost(
                OLD_HA,
                e -> {
                  e.deleteDeploymentByHand();
                  e.loseMetadata();
                }),
            RESTORE_NEWEST),
        Scenario.of(
            "recover-ha-before-first-checkpoint",
            e -> {
              StraightOperator.upgrade(
                  e, OLD, Spec.of("new", HEALTHY.highlyAvailable().checkpointingEvery(0)));
              e.deleteDeploymentByHand();
            }),
        Scenario.of("recover-failed", lost(restarting(HEALTHY), Environment::failJob)),
        Scenario.of(
            "recover-failed-ha", lost(restarting(HEALTHY.highlyAvailable()), Environment::failJob)),
        Scenario.of(
            "recover-beside-invalid-spec",
            lost(
                OLD_HA,
                e -> {
                  e.deleteDeploymentByHand();
                  e.resource().apply(NEW.invalid());
                })),
        Scenario.of("finish", Scenarios::finish),
        Scenario.of("finish-ha", lost(OLD_HA, Environment::finishJob)),
        Scenario.of("finish-failed-ha", lost(OLD_HA, Environment::failJob)),
        Scenario.of("upgrade-ha-noted-forgotten", available(NEW_HA, Scenarios::forgetFailed)),
        Scenario.of("delete", delete(OLD, e -> {})),
        Scenario.of("delete-with-savepoint", delete(OLD.keptOnDeletion(), e -> {})),
        Scenario.of(
            "delete-savepoint-fails",
            delete(
                Spec.of("old", HEALTHY.savepointing(SavepointEnd.FAILS)).keptOnDeletion(),
                e -> {})),
        Scenario.of("delete-flink-away", delete(OLD.keptOnDeletion(), e -> e.flinkAway(1_000))),
        Scenario.of("delete-job-failed", delete(OLD.keptOnDeletion(), Environment::failJob)));
  }

  private static Spec restarting(JobShape shape) {
    return Spec.of("old " + ResourceEffects.RESTARTS_FAILED, shape);
  }

  private static Consumer<Environment> lost(Spec spec, Consumer<Environment> loss) {
    return e -> {
      StraightOperator.deploy(e, spec);
      loss.accept(e);
    };
  }

  private static Consumer<Environment> first(Start start) {
    return e -> e.resource().apply(Spec.of("new", HEALTHY.starting(start)));
  }

  private static Consumer<Environment> available(Spec to, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, Spec.of("old", HEALTHY.highlyAvailable()));
      before.accept(e);
      e.resource().apply(to);
    };
  }

  /** Its end is recorded; then its JobManager is restarted, and knows nothing of it. */
  private static void forgetFailed(Environment environment) {
    environment.failJob();
    StraightOperator.recordEnd(environment);
    environment.killJobManager();
  }

  private static void loseAll(Environment environment) {
    environment.silenceJobManager();
    environment.loseMetadata();
  }

  private static Consumer<Environment> upgrade(JobShape old, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, Spec.of("old", old));
      before.accept(e);
      e.resource().apply(NEW);
    };
  }

  static void upgrade(Environment environment, Spec from, Spec to) {
    StraightOperator.deploy(environment, from);
    environment.resource().apply(to);
  }

  private static Consumer<Environment> resume(Spec suspended, Spec next) {
    return e -> {
      StraightOperator.suspend(e, suspended);
      e.resource().apply(next);
    };
  }

  private static Spec rollingBack(Start start) {
    return Spec.of("new " + ResourceEffects.ROLLS_BACK, HEALTHY.starting(start));
  }

  private static Consumer<Environment> rollback(
      Spec from, boolean newestState, Consumer<Environment> before) {
    return e -> {
      StraightOperator.upgrade(e, OLD, from);
      before.accept(e);
      e.resource().rollback().ask(null, newestState, e.resource());
    };
  }

  private static Consumer<Environment> to(Start start) {
    return e -> upgrade(e, OLD, Spec.of("new", HEALTHY.starting(start)));
  }

  private static Consumer<Environment> redeploy(Spec old, Start start) {
    return e ->
        upgrade(
            e,
            old,
            Spec.of("new", HEALTHY.starting(start)).redeployedFrom(e.savepointOfAnother(5)));
  }

  /** Another spec is applied before the job of the one before it is stable. */
  private static Consumer<Environment> second(Start start, String content) {
    return e -> {
      StraightOperator.beginUpgrade(e, OLD, Spec.of("left", HEALTHY));
      e.resource().apply(Spec.of(content, HEALTHY.starting(start)));
    };
  }

  private static Consumer<Environment> savepoint(SavepointEnd end) {
    return upgrade(HEALTHY.savepointing(end), e -> {});
  }

  private static void finish(Environment environment) {
    StraightOperator.deploy(environment, OLD);
    environment.finishJob();
  }

  private static Consumer<Environment> delete(Spec spec, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, spec);
      before.accept(e);
      e.resource().delete();
    };
  }
}
