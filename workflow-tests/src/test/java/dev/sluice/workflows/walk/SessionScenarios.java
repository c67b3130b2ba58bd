package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.END_JOBS;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.NOTHING;
import static dev.sluice.workflows.walk.Person.Reaction.RESTORE_EMPTY;
import static dev.sluice.workflows.walk.Person.Reaction.RETRY;
import static dev.sluice.workflows.walk.Person.Reaction.REVERT;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.function.Consumer;

/** Clusters without a job of their own, on which people run theirs. */
final class SessionScenarios {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final JobShape AVAILABLE = HEALTHY.highlyAvailable();
  private static final Spec OLD = spec("old", HEALTHY);
  private static final Spec OLD_HA = spec("old", AVAILABLE);
  private static final Spec NEW = spec("new", HEALTHY);
  private static final Spec NEW_HA = spec("new", AVAILABLE);

  private SessionScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of("session-deploy", e -> e.resource().apply(NEW)),
        Scenario.of(
            "session-deploy-without-image",
            e -> e.resource().apply(spec("new", HEALTHY.starting(Start.IMAGE_MISSING))),
            HEAL),
        Scenario.of(
            "session-deploy-crashing-aborted",
            e -> e.resource().apply(spec("new", HEALTHY.starting(Start.CRASHES))),
            ABORT),
        Scenario.of("session-upgrade", upgraded(OLD, NEW, e -> {})),
        Scenario.of("session-upgrade-busy", upgraded(OLD, NEW, Environment::otherJob), HEAL),
        Scenario.of(
            "session-upgrade-busy-aborted", upgraded(OLD, NEW, Environment::otherJob), ABORT),
        Scenario.of(
            "session-upgrade-busy-given-up",
            upgraded(OLD, NEW, Environment::otherJob),
            RESTORE_EMPTY),
        Scenario.of(
            "session-upgrade-sessionjobs", upgraded(OLD, NEW, SessionScenarios::sessionJobs)),
        Scenario.of(
            "session-upgrade-sessionjobs-to-crashing-aborted",
            upgraded(
                OLD, spec("new", HEALTHY.starting(Start.CRASHES)), SessionScenarios::sessionJobs),
            ABORT),
        Scenario.of(
            "session-upgrade-sessionjobs-and-others",
            upgraded(
                OLD,
                NEW,
                e -> {
                  sessionJobs(e);
                  e.otherJob();
                }),
            HEAL),
        Scenario.of(
            "session-upgrade-ha-sessionjobs",
            upgraded(OLD_HA, NEW_HA, SessionScenarios::sessionJobs)),
        Scenario.of(
            "session-upgrade-ha-sessionjobs-and-others",
            upgraded(
                OLD_HA,
                NEW_HA,
                e -> {
                  sessionJobs(e);
                  e.otherJob();
                })),
        Scenario.of("session-upgrade-ha-busy", upgraded(OLD_HA, NEW_HA, Environment::otherJob)),
        Scenario.of(
            "session-upgrade-ha-saving",
            upgraded(OLD_HA, NEW_HA, SessionScenarios::saving),
            NOTHING),
        Scenario.of(
            "session-upgrade-ha-saving-retried",
            upgraded(OLD_HA, NEW_HA, SessionScenarios::saving),
            RETRY),
        Scenario.of(
            "session-upgrade-ha-busy-to-no-ha", upgraded(OLD_HA, NEW, Environment::otherJob), HEAL),
        Scenario.of(
            "session-upgrade-silent",
            upgraded(OLD, NEW, SessionScenarios::busyAndSilent),
            RESTORE_EMPTY),
        Scenario.of(
            "session-upgrade-ha-silent", upgraded(OLD_HA, NEW_HA, SessionScenarios::busyAndSilent)),
        Scenario.of(
            "session-upgrade-to-crashing-aborted",
            upgraded(OLD, spec("new", HEALTHY.starting(Start.CRASHES)), e -> {}),
            ABORT),
        Scenario.of(
            "session-upgrade-ha-busy-to-crashing-aborted",
            upgraded(OLD_HA, spec("new", AVAILABLE.starting(Start.CRASHES)), Environment::otherJob),
            ABORT),
        Scenario.of("session-upgrade-recorded-busy-aborted", recorded(OLD, NEW), ABORT),
        Scenario.of("session-upgrade-recorded-busy-reverted", recorded(OLD, NEW), REVERT),
        Scenario.of(
            "session-upgrade-ha-busy-to-no-ha-recorded-aborted", recorded(OLD_HA, NEW), ABORT),
        Scenario.of(
            "session-deploy-answering-silent-aborted", SessionScenarios::begunAndSilent, ABORT),
        Scenario.of("session-recover", lost(OLD, Environment::otherJob)),
        Scenario.of("session-recover-ha-busy", lost(OLD_HA, Environment::otherJob)),
        Scenario.of("session-delete", deleted(OLD, e -> {})),
        Scenario.of("session-delete-busy", deleted(OLD, Environment::otherJob), HEAL),
        Scenario.of("session-delete-busy-ended", deleted(OLD, Environment::otherJob), END_JOBS),
        Scenario.of(
            "session-delete-silent", deleted(OLD, SessionScenarios::busyAndSilent), END_JOBS),
        Scenario.of(
            "session-delete-ha-without-deployment",
            deleted(
                OLD_HA,
                e -> {
                  e.otherJob();
                  e.deleteDeploymentByHand();
                }),
            END_JOBS));
  }

  /** The job was submitted after the next spec was frozen. */
  private static Consumer<Environment> recorded(Spec from, Spec to) {
    return e -> {
      StraightOperator.recordNextSession(e, from, to);
      e.otherJob();
    };
  }

  private static void begunAndSilent(Environment environment) {
    StraightOperator.beginDeploy(environment, NEW);
    busyAndSilent(environment);
  }

  private static void sessionJobs(Environment environment) {
    environment.sessionJob();
    environment.sessionJob();
  }

  private static void saving(Environment environment) {
    environment.otherJob();
    sessionJobs(environment);
    environment.savepointsOfSessionJobs();
  }

  private static void busyAndSilent(Environment environment) {
    environment.otherJob();
    environment.silenceJobManager();
  }

  private static Consumer<Environment> upgraded(Spec from, Spec to, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, from);
      before.accept(e);
      e.resource().apply(to);
    };
  }

  private static Consumer<Environment> lost(Spec spec, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, spec);
      before.accept(e);
      e.deleteDeploymentByHand();
    };
  }

  private static Consumer<Environment> deleted(Spec spec, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, spec);
      before.accept(e);
      e.resource().delete();
    };
  }

  private static Spec spec(String content, JobShape shape) {
    return Spec.of(content, shape).asSession();
  }
}
