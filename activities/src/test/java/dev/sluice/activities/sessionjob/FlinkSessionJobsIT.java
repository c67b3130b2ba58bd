package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.SessionJobSource.SessionJob;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which FlinkSessionJobs hold the deletion of a session cluster. */
@ExtendWith(ApiServer.Extension.class)
class FlinkSessionJobsIT {

  private static final String JOB = "0123456789abcdef0123456789abcdef";

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void namespace(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  private void create(String name, String cluster, @Nullable Submission submission) {
    FlinkSessionJob job = new FlinkSessionJob();
    job.getMetadata().setNamespace(namespace);
    job.getMetadata().setName(name);
    job.setSpec(
        new FlinkSessionJobSpec(
            cluster, JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS), null, null));
    create(job, FlinkSessionJobStatus.EMPTY.withSubmission(submission));
  }

  private void create(FlinkSessionJob job, FlinkSessionJobStatus status) {
    FlinkSessionJob created = client.resource(job).create();
    created.setStatus(status);
    FlinkSessionJob unused = client.resource(created).updateStatus();
  }

  private List<SessionJob> of(String cluster) {
    return new FlinkSessionJobs(client).of(new ClusterRef(namespace, cluster));
  }

  @Test
  void thoseThatNameTheClusterAreFoundWithTheirJobs() {
    create("orders", "session", new Submission(JOB, 1L, "c1", null, null, null));
    create("totals", "session", null);
    create("other", "another", new Submission(JOB, 1L, "c1", null, null, null));

    assertThat(of("session"))
        .containsExactlyInAnyOrder(new SessionJob("orders", JOB), new SessionJob("totals", null));
  }

  @Test
  void aJobThatAnOperationHasEndedIsNotThatOfTheResourceAnyMore() {
    create("orders", "session", new Submission(JOB, 1L, "c1", null, true, null));

    assertThat(of("session")).containsExactly(new SessionJob("orders", null));
  }

  @Test
  void aClusterThatNobodyNamesHasNone() {
    create("orders", "session", null);

    assertThat(of("ses")).isEmpty();
  }

  private FlinkSessionJob orders() {
    FlinkSessionJob job = new FlinkSessionJob();
    job.getMetadata().setNamespace(namespace);
    job.getMetadata().setName("orders");
    job.setSpec(
        new FlinkSessionJobSpec(
            "session", JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS), null, null));
    return job;
  }

  @Test
  void oneThatIsBeingStartedTellsWhenFlinkWasAsked() {
    create(
        orders(),
        FlinkSessionJobStatus.EMPTY
            .withSubmission(new Submission(JOB, 1L, "c1", null, null, "2026-11-24T10:00:00Z"))
            .withOperation(
                OperationStatus.EMPTY.withState(OperationState.RUNNING).withStep("StartJob")));

    assertThat(of("session"))
        .extracting(SessionJob::sentAt)
        .containsExactly(Instant.parse("2026-11-24T10:00:00Z"));
  }

  /** Its next one is sent only once the cluster, which waits for what was sent, is replaced. */
  @Test
  void oneThatWasEndedAndWaitsForTheNextClusterHasSentNothing() {
    create(
        orders(),
        FlinkSessionJobStatus.EMPTY
            .withSubmission(new Submission(JOB, 1L, "c1", null, true, "2026-11-24T10:00:00Z"))
            .withOperation(
                OperationStatus.EMPTY.withState(OperationState.RUNNING).withStep("StartJob")));

    assertThat(of("session")).extracting(SessionJob::sentAt).containsOnlyNulls();
  }

  /** The spec before is deployed. */
  @Test
  void oneThatWasRecoveredWithAnOlderSpecSaysWhatToDo() {
    create(
        orders(),
        FlinkSessionJobStatus.EMPTY.withOperation(
            OperationStatus.EMPTY
                .withType(OperationType.RECOVER)
                .withState(OperationState.SUCCEEDED)
                .withFromGeneration(1L)
                .withTargetGeneration(0L)));

    assertThat(of("session"))
        .singleElement()
        .extracting(SessionJob::problem)
        .asString()
        .contains("given up");
  }

  @Test
  void oneThatWasRecoveredWithItsNewestSpecGoesOnByItself() {
    create(
        orders(),
        FlinkSessionJobStatus.EMPTY.withOperation(
            OperationStatus.EMPTY
                .withType(OperationType.RECOVER)
                .withState(OperationState.SUCCEEDED)
                .withFromGeneration(1L)
                .withTargetGeneration(1L)));

    assertThat(of("session")).singleElement().extracting(SessionJob::problem).isNull();
  }

  @Test
  void oneWhoseNewestSpecWasGivenUpSaysWhatToDo() {
    create(
        orders(),
        FlinkSessionJobStatus.EMPTY.withOperation(
            OperationStatus.EMPTY
                .withType(OperationType.UPGRADE)
                .withState(OperationState.ABORTED)
                .withTargetGeneration(1L)));

    assertThat(of("session"))
        .singleElement()
        .extracting(SessionJob::problem)
        .asString()
        .contains("given up", "sluice.dev/retry");
  }
}
