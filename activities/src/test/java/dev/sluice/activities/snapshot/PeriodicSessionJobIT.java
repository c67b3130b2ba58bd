package dev.sluice.activities.snapshot;

import static dev.sluice.activities.snapshot.PeriodicScenario.CHECKPOINTS;
import static dev.sluice.activities.snapshot.PeriodicScenario.ENABLED;
import static dev.sluice.activities.snapshot.PeriodicScenario.SAVEPOINTS;
import static dev.sluice.api.common.SnapshotType.CHECKPOINT;
import static dev.sluice.api.common.SnapshotType.SAVEPOINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the schedules of a FlinkSessionJob start, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
class PeriodicSessionJobIT {

  private static final String NAME = "totals-savepoint-periodic-20261121100005";
  private static final Map<String, String> HOURLY = Map.of(SAVEPOINTS, "1 h");

  private PeriodicScenario scenario;

  @BeforeEach
  void connect(ApiServer server) throws IOException {
    scenario = new PeriodicScenario(server);
  }

  @AfterEach
  void close() {
    scenario.close();
  }

  /** With the directories that the jobs on it need. */
  private void cluster(Map<String, String> keys) {
    scenario.there(SessionJobs.cluster(keys));
  }

  private static FlinkSessionJob job(Map<String, String> keys) {
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(job.getSpec().withFlinkConfiguration(FlinkConfiguration.of(keys).toJson()));
    return job;
  }

  /** Its job runs, or should. */
  private ResourceRef runs(FlinkSessionJob job) {
    return scenario.there(
        SessionJobs.submitted(
            SessionJobs.frozen(job, ReconciliationState.DEPLOYED), FakeFlink.JOB, null, null));
  }

  @Test
  void theSnapshotOfATimeIsMadeOnceAndOfTheSessionJob() {
    cluster(Map.of());
    ResourceRef ref = runs(job(HOURLY));

    assertThat(scenario.create(ref, SAVEPOINT, 0)).isEqualTo("made " + NAME);
    assertThat(scenario.create(ref, SAVEPOINT, 0)).isEqualTo("made " + NAME);

    assertThat(scenario.made()).hasSize(1);
    FlinkStateSnapshot made = scenario.made().get(0);
    assertThat(made.getSpec().jobReference())
        .isEqualTo(new JobReference(JobKind.FLINK_SESSION_JOB, "totals"));
    assertThat(made.getMetadata().getLabels())
        .containsEntry("snapshot.trigger-type", "PERIODIC")
        .containsEntry("job-reference.kind", "FlinkSessionJob")
        .containsEntry("job-reference.name", "totals")
        .containsEntry("sluice.dev/job-reference-uid", ref.uid())
        .containsEntry("app.kubernetes.io/managed-by", "sluice");
    assertThat(scenario.create(ref, SAVEPOINT, 5))
        .isEqualTo("skipped: " + NAME + " is still being taken");
    assertThat(scenario.ended).isEmpty();
  }

  @Test
  void thePeriodOfTheSessionClusterCountsUnlessTheJobSaysOtherwise() {
    cluster(Map.of(SAVEPOINTS, "1 h", "kubernetes.operator.savepoint.format.type", "NATIVE"));
    FlinkSessionJob never = job(Map.of(SAVEPOINTS, "0"));
    never.getMetadata().setName("never");

    assertThat(scenario.create(runs(job(Map.of())), SAVEPOINT, 0)).startsWith("made ");
    assertThat(scenario.made().get(0).getSpec().formatType()).isEqualTo("NATIVE");
    assertThat(scenario.create(runs(never), SAVEPOINT, 0)).startsWith("ended: ");
    assertThat(scenario.ended).containsExactly("schedule-1");
  }

  @Test
  void withoutFlinkStateSnapshotsItIsAskedForInTheStatus() {
    cluster(Map.of(SAVEPOINTS, "1 h", ENABLED, "false"));
    ResourceRef ref = runs(job(Map.of()));

    assertThat(scenario.create(ref, SAVEPOINT, 0)).isEqualTo("made " + NAME);
    assertThat(scenario.create(ref, SAVEPOINT, 0))
        .as("an answer is lost")
        .isEqualTo("made " + NAME);

    assertThat(scenario.made()).isEmpty();
    FlinkSessionJobStatus status = totals().getStatus();
    assertThat(status.snapshots().savepoint().name()).isEqualTo(NAME);
    assertThat(status.submission()).as("what others wrote stays").isNotNull();
    assertThat(scenario.create(ref, SAVEPOINT, 5))
        .isEqualTo("skipped: another one is still being taken");
  }

  private FlinkSessionJob totals() {
    return scenario
        .admin
        .resources(FlinkSessionJob.class)
        .inNamespace(scenario.namespace)
        .withName("totals")
        .get();
  }

  @Test
  void itIsSkippedWhileThereIsNoSessionCluster() {
    ResourceRef ref = runs(job(HOURLY));

    assertThat(scenario.create(ref, SAVEPOINT, 0))
        .isEqualTo("skipped: FlinkDeployment orders does not exist");
    assertThat(scenario.ended).isEmpty();
  }

  @Test
  void aCheckpointGoesByTheVersionOfTheSessionCluster() {
    FlinkDeployment old = SessionJobs.cluster(Map.of(CHECKPOINTS, "1 h"));
    old.setSpec(old.getSpec().withFlinkVersion(FlinkVersion.V1_16));
    old.setStatus(SessionJobs.deployed(old.getStatus(), old.getSpec()));
    scenario.there(old);

    assertThat(scenario.create(runs(job(Map.of())), CHECKPOINT, 0))
        .isEqualTo("skipped: Flink takes checkpoints by request since 1.17");
  }

  /** Both are named after their jobs, and the names of the jobs are the same. */
  @Test
  void thatItsNameIsTakenByThatOfAFlinkDeploymentIsToldAndNotTakenForDone() {
    cluster(Map.of());
    FlinkDeployment namesake = Deployed.orders(scenario.namespace);
    namesake.getMetadata().setName("totals");
    FlinkSessionJob job = job(HOURLY);
    ResourceRef other = scenario.deployed(namesake, FlinkVersion.V2_2, HOURLY);
    assertThat(scenario.create(other, SAVEPOINT, 0)).startsWith("made ");

    assertThatThrownBy(() -> scenario.create(runs(job), SAVEPOINT, 0))
        .hasMessageContaining(NAME + " exists, and was not made for this resource");

    assertThat(scenario.made()).hasSize(1);
    assertThat(scenario.admin.v1().events().inNamespace(scenario.namespace).list().getItems())
        .extracting(Event::getReason)
        .containsExactly("SnapshotError");
  }
}
