package dev.sluice.controller.application;

import static dev.sluice.controller.application.ApplicationScene.OLD_JOB;
import static dev.sluice.controller.application.ApplicationScene.changed;
import static dev.sluice.controller.application.ApplicationScene.created;
import static dev.sluice.controller.application.ApplicationScene.deploying;
import static dev.sluice.controller.application.ApplicationScene.dual;
import static dev.sluice.controller.application.ApplicationScene.failed;
import static dev.sluice.controller.application.ApplicationScene.ofLyft;
import static dev.sluice.controller.application.ApplicationScene.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.deployment.DecisionText;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationOperationsTest {

  private static final String RETRY = "sluice.dev/retry";
  private static final String ABORT = "sluice.dev/abort";
  private static final String BACK = "sluice.dev/rollback";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"specs", "phases", "two", "losses", "requests", "deletions"})
  void one_decision_for_each_state(String name, ApplicationScene given, String expected) {
    assertThat(DecisionText.of(given.decision())).isEqualTo(expected);
  }

  static Stream<Arguments> specs() {
    return Stream.of(
        arguments("new", created(), "Deploy 1"),
        arguments("new and invalid", created().invalid(), "nothing"),
        arguments("run by Lyft's operator", ofLyft(), "Deploy 1"),
        arguments(
            "begun by Lyft's operator",
            created().phase(ApplicationPhase.SUBMITTING_JOB),
            "Deploy 1"),
        arguments("unchanged", running(), "nothing"),
        arguments("changed", changed(), "Deploy 7"),
        arguments("changed in what is in no hash", running().generation(7), "Deploy 7"),
        arguments("changed and invalid", changed().invalid(), "nothing"),
        arguments("rescaled up", running().generation(7).rescaled(5), "Rescale 7"),
        arguments("rescaled down", running().generation(7).rescaled(2), "Deploy 7"),
        arguments(
            "rescaled, and more",
            running().generation(7).rescaled(5).spec(it -> it.withRestartNonce("a")),
            "Deploy 7"),
        arguments("failed", failed(), "nothing"),
        arguments("failed, and the deployed spec again", reverted(), "Deploy 8"),
        arguments(
            "failed, and another one",
            failed().generation(8).spec(it -> it.withRestartNonce("third")),
            "Deploy 8"));
  }

  private static ApplicationScene reverted() {
    return failed().generation(8).spec(it -> it.withRestartNonce(null));
  }

  static Stream<Arguments> phases() {
    return Stream.of(
        arguments("being deployed", deploying(), "Deploy 7 unless open"),
        arguments("being deployed, and a newer spec", deploying().generation(8), "Deploy 8"),
        arguments(
            "being deployed, and a newer spec that is not valid",
            deploying().generation(8).invalid(),
            "Deploy 7 unless open"),
        arguments(
            "blocked",
            deploying().operation(OperationType.DEPLOY, OperationState.BLOCKED, 7),
            "Deploy 7 unless open"),
        arguments(
            "the run is lost",
            deploying().operation(OperationType.DEPLOY, OperationState.SUCCEEDED, 6),
            "Deploy 7 unless open"),
        arguments(
            "a recovery is lost", lostRun(ApplicationPhase.RECOVERING), "Recover 6 unless open"),
        arguments(
            "a submission is lost",
            lostRun(ApplicationPhase.SUBMITTING_JOB),
            "Recover 6 unless open"),
        arguments(
            "the old cluster is still to be deleted",
            running().deployment(it -> it.withLeaving(it.deployed().withHash("cccccccccc"))),
            "Deploy 6 unless open"),
        arguments(
            "a teardown is lost",
            dual().deployment(it -> it.withLeaving(it.target()).withTarget(null)),
            "TearDown 7 unless open"),
        arguments(
            "a rescale is lost",
            running()
                .generation(7)
                .rescaled(5)
                .target(null, 7, null)
                .deployment(it -> it.withTarget(it.target().withCluster(it.deployed().cluster())))
                .phase(ApplicationPhase.RESCALING),
            "Rescale 7 unless open"));
  }

  private static ApplicationScene lostRun(ApplicationPhase phase) {
    return running().phase(phase);
  }

  static Stream<Arguments> two() {
    return Stream.of(
        arguments("two run", dual(), "nothing"),
        arguments(
            "the old one is to go",
            dual().generation(8).spec(tearDown("aaaaaaaaaa")),
            "TearDown 8"),
        arguments(
            "the new one is to go",
            dual().generation(8).spec(tearDown("bbbbbbbbbb")),
            "TearDown 8"),
        arguments(
            "an unknown one is to go",
            dual().generation(8).spec(tearDown("cccccccccc")),
            "Deploy 8"),
        arguments(
            "a third spec waits",
            dual().generation(8).spec(it -> it.withRestartNonce("third")),
            "nothing"),
        arguments(
            "what is in no hash is recorded",
            dual().generation(8).spec(it -> it.withFallbackWithoutState(true)),
            "Deploy 8"));
  }

  private static UnaryOperator<FlinkApplicationSpec> tearDown(String hash) {
    return it -> it.withTearDownVersionHash(hash);
  }

  static Stream<Arguments> losses() {
    return Stream.of(
        arguments(
            "its JobManager does not know the job",
            running().flink(ApplicationScene.nothing()),
            "Recover 6 unless open"),
        arguments(
            "the same, after a failed deployment",
            failed().flink(ApplicationScene.nothing()),
            "Recover 7 unless open"),
        arguments(
            "the same, while a newer spec is invalid",
            changed().invalid().flink(ApplicationScene.nothing()),
            "Recover 7 unless open"),
        arguments(
            "its cluster is gone", running().cluster(VersionCluster.NONE), "Recover 6 unless open"),
        arguments(
            "its JobManager is away",
            running().cluster(new VersionCluster(true, false, 2, null, false)),
            "nothing"),
        arguments(
            "the second of two has lost its job",
            dual().newFlink(ApplicationScene.nothing()),
            "Recover 7 unless open"),
        arguments(
            "it has failed",
            running().flink(ApplicationScene.job(OLD_JOB, FlinkJobState.FAILED, false)),
            "nothing"),
        arguments("it had finished before it was forgotten", finished(), "nothing"));
  }

  /** W18. */
  private static ApplicationScene finished() {
    ApplicationScene scene =
        running().flink(ApplicationScene.job(OLD_JOB, FlinkJobState.FINISHED, false));
    var written = scene.written();
    return scene
        .status(it -> it.withJobStatus(written.jobStatus()))
        .flink(ApplicationScene.nothing());
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        arguments("abort", deploying().annotated(ABORT, "1"), "abort 1 else Deploy 7"),
        arguments("rollback", deploying().annotated(BACK, "1"), "rollback 1 else Deploy 7"),
        arguments("retry", deploying().annotated(RETRY, "1"), "retry 1 else Deploy 7"),
        arguments("abort of nothing", running().annotated(ABORT, "1"), "abort 1"),
        arguments(
            "retry of what has failed", failed().annotated(RETRY, "1"), "Deploy 7 for retry 1"),
        arguments(
            "retry together with a new spec",
            changed().annotated(RETRY, "1"),
            "retry 1 else Deploy 7"),
        arguments("from the manifest", created().annotated(ABORT, "1"), "Deploy 1"));
  }

  static Stream<Arguments> deletions() {
    return Stream.of(
        arguments("never deployed", created().deleting(), "let go"),
        arguments("deployed", running().deleting(), "Delete 6"),
        arguments("run by Lyft's operator", ofLyft().deleting(), "Delete 1"),
        arguments(
            "begun by Lyft's operator",
            created().phase(ApplicationPhase.SUBMITTING_JOB).deleting(),
            "Delete 1"),
        arguments(
            "seen by Lyft's operator", created().phase(ApplicationPhase.NEW).deleting(), "let go"),
        arguments(
            "being deleted",
            running()
                .deleting()
                .phase(ApplicationPhase.DELETING)
                .operation(OperationType.DELETE, OperationState.RUNNING, 6),
            "Delete 6 unless open"),
        arguments(
            "deleted",
            running().deleting().operation(OperationType.DELETE, OperationState.SUCCEEDED, 6),
            "let go"),
        arguments(
            "by force",
            deploying().deleting().annotated("sluice.dev/force-delete", "true"),
            "let go by force"));
  }
}
