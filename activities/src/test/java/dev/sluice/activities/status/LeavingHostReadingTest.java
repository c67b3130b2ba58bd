package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is observed of a job whose session cluster is about to be replaced. */
class LeavingHostReadingTest {

  private static final JobObservation RUNNING =
      new JobObservation.Alive(
          Refs.JOB_ID,
          FlinkJobState.RUNNING,
          new JobObservation.Tasks(2, 0, 2),
          new StateRef.Checkpoint("file:/c/chk-7"),
          true,
          JobObservation.Retention.RETAINED,
          600_000,
          JobObservation.Times.UNKNOWN);

  private final FlinkSessionJob job =
      SessionJobs.frozen(
          SessionJobs.submitted(SessionJobs.totals(), Refs.JOB_ID, "containerd://1", null),
          ReconciliationState.DEPLOYED);

  private static Deployment of(int generation) {
    return new DeploymentBuilder(HostedReadingTest.deployment("c1"))
        .editMetadata()
        .addToAnnotations(Annotations.GENERATION, Integer.toString(generation))
        .endMetadata()
        .build();
  }

  private Reading reading(FlinkDeployment host, Deployment deployment) {
    return Reading.of(
        Refs.RESOURCE,
        SessionJobs.stored(job, host),
        new ClusterObjects(Optional.of(deployment), Optional.empty(), List.of(), List.of()),
        SessionJobSource.NONE,
        Instant.EPOCH);
  }

  private Observation seen(FlinkDeployment host, JobObservation told) {
    return reading(host, of(1)).with(told, List.of());
  }

  /** Its jobs are suspended on the cluster that is there, before the next one replaces it. */
  @Test
  void aClusterThatIsToBeReplacedIsAskedWhereItAnswersNow() {
    FlinkDeployment host =
        SessionJobs.replaced(
            SessionJobs.cluster(Map.of("rest.port", "8081")),
            spec ->
                spec.withConfiguration(
                    spec.configuration()
                        .with("high-availability.type", "kubernetes")
                        .with("rest.port", "8099")));

    Reading before = reading(host, of(1));
    Reading after = reading(host, of(2));

    assertThat(before.cluster().endpoint().port()).isEqualTo(8081);
    assertThat(before.cluster().configuration().has("high-availability.type")).isFalse();
    assertThat(after.cluster().endpoint().port()).isEqualTo(8099);
  }

  /** A checkpoint is not taken from one version to the next. */
  @Test
  void theVersionThatRunsIsNotTheOneThatItIsReplacedBy() {
    FlinkDeployment host =
        SessionJobs.replaced(
            SessionJobs.cluster(Map.of()), spec -> spec.withFlinkVersion(FlinkVersion.V2_3));

    Observation seen = seen(host, RUNNING);

    assertThat(Objects.requireNonNull(seen.deployed()).flinkVersion()).isEqualTo(FlinkVersion.V2_2);
    assertThat(seen.newest().target().flinkVersion()).isEqualTo(FlinkVersion.V2_3);
  }

  @Test
  void aClusterThatWaitsForTheJobGoesAndAnEndedJobHasLeftIt() {
    FlinkDeployment waits = SessionJobs.suspendingJobs();
    JobObservation silent = new Unreachable("silent", Refs.JOB_ID);

    assertThat(seen(SessionJobs.cluster(Map.of()), RUNNING).clusterGoes()).isFalse();
    assertThat(seen(waits, RUNNING).clusterGoes()).isTrue();
    assertThat(seen(waits, silent).clusterGoes()).isTrue();
    assertThat(seen(waits, HostedReadingTest.ENDED).clusterGoes()).isFalse();
  }
}
