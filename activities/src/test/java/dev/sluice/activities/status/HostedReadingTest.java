package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is observed of a job on a session cluster. */
class HostedReadingTest {

  private static final Map<String, String> HA =
      Map.of(
          "high-availability.type", "kubernetes",
          "high-availability.storageDir", "s3://b/ha");
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
  private static final JobObservation ENDED =
      new Ended(
          Refs.JOB_ID, FlinkJobState.CANCELED, new StateRef.Checkpoint("file:/c/chk-7"), true);
  private static final String PROCESS = "containerd://1";

  private @Nullable FlinkDeployment host = SessionJobs.cluster(Map.of());
  private FlinkSessionJob job = SessionJobs.totals();
  private @Nullable Deployment deployment = deployment("c1");
  private List<Pod> pods = List.of();
  private List<ConfigMap> configMaps = List.of();

  private static Deployment deployment(String clusterId) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withUid("deployment-" + clusterId)
        .addToAnnotations(Annotations.JOB_ID, clusterId)
        .withOwnerReferences(new OwnerReferenceBuilder().withUid(SessionJobs.CLUSTER_UID).build())
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .endSpec()
        .build();
  }

  private void metadata() {
    configMaps =
        List.of(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("orders-" + Refs.JOB_ID + "-config-map")
                .endMetadata()
                .addToData("checkpointID-0000000000000000007", "x")
                .build());
  }

  /** An operation in progress starts the job, from a savepoint. */
  private void starting() {
    SessionJobs.frozen(job, ReconciliationState.UPGRADING);
    job.setStatus(
        job.getStatus()
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT, "file:/s", null, "before", Refs.JOB_ID)));
  }

  private void submitted() {
    SessionJobs.submitted(job, Refs.JOB_ID, PROCESS, null);
  }

  private Reading reading() {
    return Reading.of(
        Refs.RESOURCE,
        SessionJobs.stored(job, host),
        new ClusterObjects(Optional.ofNullable(deployment), Optional.empty(), pods, configMaps),
        SessionJobSource.NONE,
        Instant.EPOCH);
  }

  private Observation seen(JobObservation told) {
    assertThat(reading().withoutFlink()).isEmpty();
    return reading().with(told, List.of("another"));
  }

  private JobObservation withoutFlink() {
    return reading().withoutFlink().orElseThrow();
  }

  @Test
  void aJobThatFlinkWasNeverAskedToRunWasNeverStartedWhateverRunsOnTheCluster() {
    assertThat(withoutFlink()).isInstanceOf(JobObservation.NeverStarted.class);
    assertThat(reading().hasCluster()).isFalse();
  }

  /** It notes no submission. */
  @Test
  void aJobThatApachesOperatorDeployedCountsAsSubmitted() {
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    job.setStatus(
        job.getStatus()
            .withJobStatus(
                JobStatus.EMPTY.withJobId(Refs.JOB_ID).withState(FlinkJobState.RUNNING)));

    Observation seen = seen(new Unreachable("silent", Refs.JOB_ID));

    assertThat(seen.cluster().present()).isTrue();
    assertThat(seen.cluster().jobId()).isEqualTo(Refs.JOB_ID);
    assertThat(seen.cluster().generation()).isEqualTo(1);
  }

  @Test
  void aJobThatEndedUnderApachesOperatorIsNotThere() {
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    job.setStatus(
        job.getStatus()
            .withJobStatus(
                JobStatus.EMPTY.withJobId(Refs.JOB_ID).withState(FlinkJobState.CANCELED)));

    assertThat(withoutFlink()).isInstanceOf(Unreachable.class);
    assertThat(reading().hasCluster()).isFalse();
  }

  @Test
  void aJobThatWasEndedIsNotPresentAndWasStartedAllTheSame() {
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    SessionJobs.submitted(job, Refs.JOB_ID, PROCESS, true);

    JobObservation known = withoutFlink();

    assertThat(known).isInstanceOf(Unreachable.class);
    Observation seen = reading().with(known, List.of());
    assertThat(seen.cluster().present()).isFalse();
    assertThat(seen.cluster().preparedJobId()).isEqualTo(Refs.JOB_ID);
  }

  @Test
  void withoutItsDeploymentTheJobIsOutOfReachAndMayStillRun() {
    submitted();
    host = null;

    assertThat(withoutFlink())
        .isEqualTo(new Unreachable("FlinkDeployment orders does not exist", Refs.JOB_ID));
    assertThat(reading().with(withoutFlink(), List.of()).cluster().present()).isTrue();
  }

  @Test
  void aJobThatFlinkKnowsIsPresentForTheGenerationThatItWasStartedFor() {
    submitted();

    pods = List.of(Pods.jobManager(PROCESS));

    Observation seen = seen(ENDED);

    assertThat(seen.job()).isEqualTo(ENDED);
    assertThat(seen.otherJobs()).as("nobody's business").isEmpty();
    assertThat(seen.cluster().pods()).as("not those of the job").isZero();
    assertThat(seen.cluster().present()).isTrue();
    assertThat(seen.cluster().jobId()).isEqualTo(Refs.JOB_ID);
    assertThat(seen.cluster().generation()).isEqualTo(1);
  }

  /** Its newest checkpoint is looked for in the storage then. */
  @Test
  void aJobThatRanAndThatFlinkDoesNotKnowAnyMoreIsLost() {
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    submitted();

    Observation seen = seen(new Absent(Refs.JOB_ID));

    assertThat(seen.job())
        .isEqualTo(
            new Unreachable(
                "the session cluster of FlinkDeployment orders does not know job "
                    + Refs.JOB_ID
                    + " any more",
                Refs.JOB_ID));
    assertThat(seen.cluster().present()).isFalse();
  }

  @Test
  void aJobThatIsBeingStartedOnAClusterThatWasReplacedIsLost() {
    submitted();
    starting();
    deployment = deployment("c2");

    assertThat(seen(new Absent(Refs.JOB_ID)).cluster().present()).isFalse();
  }

  @Test
  void aJobThatIsStillInTheMetadataOfItsClusterIsAwaited() {
    host = SessionJobs.cluster(HA);
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    submitted();
    metadata();

    Observation seen = seen(new Absent(Refs.JOB_ID));

    assertThat(seen.job()).isInstanceOf(Unreachable.class);
    assertThat(seen.cluster().present()).isTrue();
    assertThat(seen.cluster().highAvailability()).isEqualTo(HighAvailability.CHECKPOINT);
  }

  private void sent(Duration ago) {
    job.setStatus(
        job.getStatus()
            .withSubmission(
                new Submission(
                    Refs.JOB_ID, 1L, "c1", PROCESS, false, Instant.EPOCH.minus(ago).toString())));
  }

  /** A run that is being started, which Flink does not know. */
  @ParameterizedTest(name = "sent {0} ago, now {1}")
  @CsvSource(
      nullValues = "none",
      value = {
        // when, processes of the JobManager, whether it is absent, whether it proves no run
        "none, none, true, false",
        "none, 1, true, true",
        "none, 2, true, false",
        "PT1M, 1, true, true",
        "PT5M, 1, true, false", // Flink may have run and forgotten it
        "PT1H, 1, false, false",
        "PT1M, 2, false, false",
      })
  void with_absentWhileBeingStarted_isAbsentUnlessItMayHaveRun(
      @Nullable Duration ago, @Nullable String process, boolean absent, boolean neverRan) {
    if (ago == null) {
      submitted();
    } else {
      sent(ago);
    }
    starting();
    pods = process == null ? List.of() : List.of(Pods.jobManager("containerd://" + process));

    Observation seen = seen(new Absent(Refs.JOB_ID));

    assertThat(seen.job() instanceof Absent).isEqualTo(absent);
    assertThat(seen.cluster().present()).isEqualTo(absent);
    assertThat(seen.cluster().jobManager())
        .isEqualTo(neverRan ? JobManager.NEVER_READY : JobManager.MAY_HAVE_RUN);
  }

  @Test
  void with_processThatWasAskedMayBeOnItsWayOut_isOutOfReach() {
    sent(Duration.ofMinutes(1));
    starting();
    pods = List.of(Pods.jobManager(PROCESS), Pods.jobManager("containerd://2"));

    Observation seen = seen(new Absent(Refs.JOB_ID));

    assertThat(seen.job()).isInstanceOf(Unreachable.class);
    assertThat(seen.cluster().present()).isTrue();
  }

  @Test
  void with_silence_provesNothing() {
    submitted();
    starting();
    pods = List.of(Pods.jobManager(PROCESS));

    assertThat(seen(new Unreachable("silent", Refs.JOB_ID)).cluster().jobManager())
        .isEqualTo(JobManager.MAY_HAVE_RUN);
  }

  private static Deployment of(int generation) {
    return new DeploymentBuilder(deployment("c1"))
        .editMetadata()
        .addToAnnotations(Annotations.GENERATION, Integer.toString(generation))
        .endMetadata()
        .build();
  }

  private void running(FlinkDeployment host, int generation) {
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    submitted();
    this.host = host;
    deployment = of(generation);
  }

  /** Its jobs are suspended on the cluster that is there, before the next one replaces it. */
  @Test
  void cluster_isToBeReplaced_isAskedWhereItAnswersNow() {
    FlinkDeployment next =
        SessionJobs.replaced(
            SessionJobs.cluster(Map.of("rest.port", "8081")),
            spec ->
                spec.withConfiguration(
                    spec.configuration()
                        .with("high-availability.type", "kubernetes")
                        .with("rest.port", "8099")));

    running(next, 1);
    assertThat(reading().cluster().endpoint().port()).isEqualTo(8081);
    assertThat(reading().cluster().configuration().has("high-availability.type")).isFalse();
    deployment = of(2);
    assertThat(reading().cluster().endpoint().port()).isEqualTo(8099);
  }

  /** A checkpoint is not taken from one version to the next. */
  @Test
  void with_clusterIsReplacedByAnotherVersion_saysTheVersionThatRuns() {
    running(
        SessionJobs.replaced(
            SessionJobs.cluster(Map.of()), spec -> spec.withFlinkVersion(FlinkVersion.V2_3)),
        1);

    Observation seen = seen(RUNNING);

    assertThat(Objects.requireNonNull(seen.deployed()).flinkVersion()).isEqualTo(FlinkVersion.V2_2);
    assertThat(seen.newest().target().flinkVersion()).isEqualTo(FlinkVersion.V2_3);
  }

  @Test
  void with_clusterWaitsForTheJob_goesUnlessTheJobHasEnded() {
    running(SessionJobs.cluster(Map.of()), 1);
    assertThat(seen(RUNNING).clusterGoes()).isFalse();

    running(SessionJobs.suspendingJobs(), 1);
    assertThat(seen(RUNNING).clusterGoes()).isTrue();
    assertThat(seen(new Unreachable("silent", Refs.JOB_ID)).clusterGoes()).isTrue();
    assertThat(seen(ENDED).clusterGoes()).isFalse();
  }
}
