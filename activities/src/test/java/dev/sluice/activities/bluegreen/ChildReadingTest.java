package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildReadingTest {

  private static final RecordedState.Left LEFT =
      new RecordedState.Left(RecordedState.Type.SAVEPOINT, "s3://b/left", null);

  private static final String PARENT = "7a1e0000-0000-0000-0000-000000000001";
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private static final String TRUE = "status: 'True', observedGeneration: 2, reason: ";
  private static final String FALSE = "status: 'False', observedGeneration: 2, reason: ";

  private static FlinkDeployment child(String status) {
    return SERIALIZATION.unmarshal(
        """
        apiVersion: flink.apache.org/v1beta1
        kind: FlinkDeployment
        metadata:
          name: orders-blue
          namespace: default
          uid: c0000000-0000-0000-0000-000000000001
          generation: 2
          annotations: {sluice.dev/generation: "4"}
          ownerReferences: [{apiVersion: flink.apache.org/v1beta1, kind: FlinkBlueGreenDeployment, name: orders, uid: %s}]
        spec:
          job: {jarURI: local:///job.jar, parallelism: 1, initialSavepointPath: s3://b/savepoint-1}
        status: %s
        """
            .formatted(PARENT, status),
        FlinkDeployment.class);
  }

  private static Phase phase(String status) {
    return ChildReading.of(
            PARENT,
            Color.BLUE,
            new FoundChild.Application(child(status)),
            new Phase.Finished("s3://b/finished"))
        .phase();
  }

  private static String status(String ready, String stalled, String more) {
    return "{observedGeneration: 2, conditions: [{type: Ready, "
        + ready
        + "}, {type: Stalled, "
        + stalled
        + "}]"
        + (more.isEmpty() ? "" : ", " + more)
        + "}";
  }

  private static String of(String kind) {
    String notStalled = FALSE + "NotStalled";
    String job = "jobStatus: {jobId: ab12, state: RUNNING, upgradeSavepointPath: s3://b/last}";
    return switch (kind) {
      case "up to date" -> status(TRUE + "UpToDate", notStalled, job);
      case "suspended" -> status(TRUE + "Suspended", notStalled, job);
      case "finished" -> status(TRUE + "JobFinished", notStalled, job);
      case "up to date, without a job" -> status(TRUE + "UpToDate", notStalled, "");
      case "up to date, an operation begins" ->
          status(
              TRUE + "UpToDate", notStalled, job + ", operation: {type: Recover, state: Running}");
      case "up to date, an operation was frozen" ->
          status(TRUE + "UpToDate", notStalled, job + ", reconciliationStatus: {state: UPGRADING}");
      case "deploying" ->
          status(
              FALSE + "Deploying",
              notStalled,
              "operation: {type: Deploy, state: Running, step: CreateCluster}");
      case "tasks do not run" -> status(FALSE + "JobNotRunning", notStalled, job);
      case "JobManager does not answer" ->
          status(
              "status: Unknown, observedGeneration: 2, reason: ClusterNotReady", notStalled, job);
      case "blocked" ->
          status(
              FALSE + "ImagePullFailed",
              TRUE + "ImagePullFailed",
              "operation: {type: Deploy, state: Blocked, message: no such image}");
      case "parked" ->
          status(
              FALSE + "StateNotFound",
              TRUE + "StateNotFound",
              "operation: {type: Deploy, state: Parked, message: no state}");
      case "a container crashes" ->
          status(FALSE + "CrashLoopBackOff", TRUE + "CrashLoopBackOff", "");
      case "invalid" -> status(FALSE + "InvalidSpec", TRUE + "InvalidSpec", "");
      case "invalid, but deployed" -> status(TRUE + "UpToDate", TRUE + "InvalidSpec", job);
      case "aborted" ->
          status(FALSE + "Aborted", TRUE + "Aborted", "operation: {type: Deploy, state: Aborted}");
      case "operation failed" ->
          status(
              FALSE + "OperationFailed",
              TRUE + "OperationFailed",
              "operation: {type: Deploy, state: Failed}");
      case "job failed for good" ->
          status(FALSE + "JobNotRunning", notStalled, "jobStatus: {jobId: ab12, state: FAILED}");
      case "not looked at" -> "{}";
      case "looked at an older spec" ->
          of("up to date").replace("observedGeneration: 2", "observedGeneration: 1");
      case "conditions of an older spec" ->
          of("up to date").replace("True', observedGeneration: 2", "True', observedGeneration: 1");
      default -> throw new IllegalArgumentException(kind);
    };
  }

  @ParameterizedTest(name = "{1} is {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Ready     | up to date",
        "Ready     | invalid, but deployed",
        "Suspended | suspended",
        "Finished  | finished",
        "Busy      | up to date, without a job",
        "Busy      | up to date, an operation begins",
        "Busy      | up to date, an operation was frozen",
        "Busy      | deploying",
        "Busy      | tasks do not run",
        "Busy      | JobManager does not answer",
        "Busy      | not looked at",
        "Busy      | looked at an older spec",
        "Busy      | conditions of an older spec",
        "Held      | blocked",
        "Held      | parked",
        "Held      | a container crashes",
        "Failed    | invalid",
        "Failed    | aborted",
        "Failed    | operation failed",
        "Failed    | job failed for good",
      })
  void whatTheStatusSaysIsThePhase(String phase, String kind) {
    assertThat(phase(of(kind)).getClass().getSimpleName()).isEqualTo(phase);
  }

  @Test
  void aReadyChildTellsItsJobAndSinceWhen() {
    String status =
        of("up to date")
            .replace(
                "reason: UpToDate", "reason: UpToDate, lastTransitionTime: '2026-11-21T08:00:00Z'");

    assertThat(phase(status)).isEqualTo(new Phase.Ready("ab12", 1_795_248_000_000L));
  }

  @Test
  void aSuspendedChildTellsWhatItsJobLeft() {
    assertThat(phase(of("suspended"))).isEqualTo(new Phase.Suspended("s3://b/last"));
  }

  @Test
  void aFinishedChildTellsWhatIsNotedOnItsJobManager() {
    assertThat(phase(of("finished"))).isEqualTo(new Phase.Finished("s3://b/finished"));
  }

  /** It means high-availability metadata, which no other job can start from. */
  @Test
  void theWordOfApachesOperatorForTheLastStateIsNoPath() {
    assertThat(phase(of("suspended").replace("s3://b/last", "KUBERNETES_OPERATOR_LAST_STATE")))
        .isEqualTo(new Phase.Suspended(null));
  }

  @Test
  void whatAFinishedLiveJobLeftIsBelievedOnceItsOwnEndIsRecorded() {
    FlinkDeployment live = child(of("finished"));

    assertThat(ChildReading.finishedLive(live)).isInstanceOf(Phase.Busy.class);
    assertThat(finishedLive(live, "cd34", LEFT)).isInstanceOf(Phase.Busy.class);
    assertThat(finishedLive(live, "ab12", null)).isInstanceOf(Phase.Held.class);
    assertThat(finishedLive(live, "ab12", LEFT)).isEqualTo(new Phase.Finished("s3://b/left"));
  }

  private static Phase finishedLive(
      FlinkDeployment live, String jobId, RecordedState.@Nullable Left left) {
    live.setStatus(
        live.getStatus()
            .withEndedJob(new EndedJob(jobId, FlinkJobState.FINISHED, left, true, "then")));
    return ChildReading.finishedLive(live);
  }

  @Test
  void whatIsHeldSaysWhy() {
    assertThat(phase(of("blocked"))).isEqualTo(new Phase.Held("Deploy: no such image"));
  }

  @Test
  void aChildTellsWhoseItIsAndWhatItWasMadeFor() {
    ChildSeen seen =
        ChildReading.of(
            PARENT, Color.BLUE, new FoundChild.Application(child("{}")), new Phase.Finished(null));

    assertThat(seen.ours()).isTrue();
    assertThat(seen.madeFor()).isEqualTo(4);
    assertThat(seen.startsFrom()).isEqualTo("s3://b/savepoint-1");
    assertThat(
            ChildReading.of(
                    "another",
                    Color.BLUE,
                    new FoundChild.Application(child("{}")),
                    new Phase.Finished(null))
                .ours())
        .isFalse();
  }
}
