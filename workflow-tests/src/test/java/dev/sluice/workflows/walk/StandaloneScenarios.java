package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.ClusterEffects;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.function.Consumer;

/** Clusters whose TaskManagers are made after the JobManager, and may be missing. */
final class StandaloneScenarios {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final JobShape AVAILABLE = HEALTHY.highlyAvailable();
  private static final Spec OLD = spec("old", HEALTHY);
  private static final Spec NEW = spec("new", HEALTHY);

  private StandaloneScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of("standalone-deploy", e -> e.resource().apply(NEW)),
        Scenario.of("standalone-upgrade", e -> Scenarios.upgrade(e, OLD, NEW)),
        Scenario.of(
            "standalone-upgrade-last-state",
            e -> Scenarios.upgrade(e, OLD, NEW.mode(UpgradeMode.LAST_STATE))),
        Scenario.of(
            "standalone-upgrade-ha-silent",
            e -> {
              StraightOperator.deploy(e, spec("old", AVAILABLE));
              e.silenceJobManager();
              e.resource().apply(spec("new", AVAILABLE));
            }),
        Scenario.of(
            "standalone-upgrade-to-no-slots-aborted",
            e -> Scenarios.upgrade(e, OLD, spec("new", HEALTHY.starting(Start.NO_SLOTS))),
            ABORT),
        Scenario.of(
            "standalone-upgrade-without-task-managers",
            e -> {
              StraightOperator.deploy(e, OLD);
              StraightOperator.deleteTaskManagers(e);
              e.resource().apply(NEW);
            }),
        Scenario.of("standalone-recover", lost(OLD)),
        Scenario.of("standalone-recover-ha", lost(spec("old", AVAILABLE))),
        Scenario.of("reactive-recover-ha", lost(reactive("old"))),
        Scenario.of(
            "reactive-upgrade-without-task-managers",
            e -> {
              lost(reactive("old")).accept(e);
              e.resource().apply(reactive("new"));
            }),
        Scenario.of(
            "standalone-delete",
            e -> {
              StraightOperator.deploy(e, OLD);
              e.resource().delete();
            }));
  }

  private static Consumer<Environment> lost(Spec spec) {
    return e -> {
      StraightOperator.deploy(e, spec);
      StraightOperator.deleteTaskManagers(e);
    };
  }

  private static Spec reactive(String content) {
    return Spec.of(content + " " + ClusterEffects.REACTIVE, AVAILABLE);
  }

  private static Spec spec(String content, JobShape shape) {
    return Spec.of(content + " " + ClusterEffects.STANDALONE, shape);
  }
}
