package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.Submission;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether anything but a JobManager says what the last job of a resource left. */
class LeftByJobTest {

  private static final FlinkDeploymentSpec SUSPENDED =
      Deployed.SPEC.withJob(Deployed.SPEC.job().withState(DesiredJobState.SUSPENDED));

  private static boolean isTold(FlinkDeployment resource, @Nullable Deployment jobManager) {
    return new JobOwner(FlinkDeployment.KIND, Stored.of(resource), Jobs.cluster(Map.of()))
        .tellsWhatIsLeft(jobManager);
  }

  private static FlinkDeployment deployed(
      FlinkDeploymentSpec spec, ReconciliationState state, RecordedState.@Nullable Type recorded) {
    FlinkDeployment resource = Deployed.orders("default");
    resource.setSpec(spec);
    String frozen = new FrozenSpec(spec, 2, false).toJson();
    RecordedState left =
        recorded == null
            ? null
            : new RecordedState(recorded, "s3://b/left", null, null, FakeFlink.JOB);
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(new ReconciliationStatus(1L, frozen, frozen, state))
            .withRecordedState(left));
    return resource;
  }

  private static Deployment jobManager(Map<String, String> annotations) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withAnnotations(annotations)
        .endMetadata()
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "SAVEPOINT, DEPLOYED, true",
    "EMPTY, DEPLOYED, true",
    "HA_METADATA, DEPLOYED, false", // which may have any savepoint as its newest state
    "SAVEPOINT, UPGRADING, false",
    ", DEPLOYED, false",
  })
  void ofASuspendedJobTheStatusDoesIfItNamesThePath(
      RecordedState.@Nullable Type recorded, ReconciliationState state, boolean told) {
    assertThat(isTold(deployed(SUSPENDED, state, recorded), null)).isEqualTo(told);
  }

  @Test
  void ofALostJobNothingDoes() {
    FlinkDeployment lost =
        deployed(Deployed.SPEC, ReconciliationState.DEPLOYED, RecordedState.Type.SAVEPOINT);

    assertThat(isTold(lost, null)).isFalse();
    assertThat(isTold(lost, jobManager(Map.of()))).isFalse();
  }

  @Test
  void whatWasNeverDeployedOrIsBeingDeletedLeftNothingToStartFrom() {
    FlinkDeployment deleted = deployed(Deployed.SPEC, ReconciliationState.DEPLOYED, null);
    deleted.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");

    assertThat(isTold(Deployed.orders("default"), null)).isTrue();
    assertThat(isTold(deleted, null)).isTrue();
  }

  @Test
  void aSessionClusterHasNoJobThatLeavesAnything() {
    FlinkDeployment session =
        deployed(Deployed.SPEC.withJob(null), ReconciliationState.DEPLOYED, null);

    assertThat(isTold(session, null)).isTrue();
    assertThat(isTold(session, jobManager(Map.of()))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"a1, FAILED, true", ", , true", "a1, LATER, false", "b2, FAILED, false"})
  void ofAJobThatHasEndedTheNoteOnItsDeploymentDoes(
      @Nullable String madeFor, @Nullable String as, boolean told) {
    Map<String, String> notes = new HashMap<>(Map.of(Annotations.FINISHED_JOB, "a1"));
    if (madeFor != null) {
      notes.put(Annotations.JOB_ID, madeFor);
    }
    if (as != null) {
      notes.put(Annotations.FINISHED_AS, as);
    }

    assertThat(
            isTold(deployed(Deployed.SPEC, ReconciliationState.DEPLOYED, null), jobManager(notes)))
        .isEqualTo(told);
  }

  @Test
  void whatAJobThatHasEndedLeftIsStartedFromUnlessTheResourceIsBeingDeleted() {
    FlinkDeployment resource = deployed(Deployed.SPEC, ReconciliationState.DEPLOYED, null);
    JobOwner owner =
        new JobOwner(FlinkDeployment.KIND, Stored.of(resource), Jobs.cluster(Map.of()));
    Deployment ended =
        jobManager(Map.of(Annotations.FINISHED_STATE, "s3://b/savepoint-ab12cd-0123456789ab"));

    assertThat(owner.goesOnFrom("s3a://b/savepoint-ab12cd-0123456789ab/_metadata", ended)).isTrue();
    assertThat(owner.goesOnFrom("s3://b/savepoint-ffffff-0123456789ab", ended)).isFalse();
    assertThat(owner.goesOnFrom("s3://b/savepoint-ab12cd-0123456789ab", null)).isFalse();
    resource.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");
    assertThat(owner.goesOnFrom("s3://b/savepoint-ab12cd-0123456789ab", ended)).isFalse();
  }

  private static boolean isTold(@Nullable Submission submission, @Nullable FlinkJobState seen) {
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED);
    job.setStatus(
        job.getStatus()
            .withSubmission(submission)
            .withJobStatus(JobStatus.EMPTY.withJobId(FakeFlink.JOB).withState(seen)));
    return isTold(job);
  }

  private static boolean isTold(FlinkSessionJob job) {
    return new JobOwner(FlinkSessionJob.KIND, SessionJobs.stored(job, null), Jobs.cluster(Map.of()))
        .tellsWhatIsLeft(null);
  }

  private static Submission submission(@Nullable Boolean removed, @Nullable String sentAt) {
    return new Submission(FakeFlink.JOB, 1L, "c1", null, removed, sentAt);
  }

  /** Its session cluster forgets it, or is gone: its newest state is looked for among the files. */
  @ParameterizedTest
  @EnumSource(names = {"RUNNING", "FAILED", "CANCELED"})
  void ofAJobThatASessionClusterRanNothingDoes(FlinkJobState seen) {
    assertThat(isTold(submission(null, "2026-11-21T08:00:00Z"), seen)).isFalse();
  }

  @Test
  void ofAJobThatAnOperationHasEndedTheStatusDoes() {
    assertThat(isTold(submission(true, "2026-11-21T08:00:00Z"), FlinkJobState.FAILED)).isTrue();
    assertThat(isTold(submission(null, "2026-11-21T08:00:00Z"), FlinkJobState.FINISHED))
        .as("finished by itself")
        .isTrue();
  }

  @Test
  void ofAJobThatWasNotSentYetTheStatusDoes() {
    FlinkSessionJob job =
        SessionJobs.submitted(
            SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.UPGRADING),
            FakeFlink.JOB,
            null,
            null);

    assertThat(isTold(job)).as("nothing is recorded for it").isFalse();
    job.setStatus(
        job.getStatus()
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT, "s3://b/left", null, null, FakeFlink.JOB)));
    assertThat(isTold(job)).isTrue();
    assertThat(isTold(SessionJobs.totals())).as("never deployed").isTrue();
  }

  /** Apache's operator notes neither when it sent a job, nor what that left when it failed. */
  @ParameterizedTest
  @EnumSource(names = {"RUNNING", "FAILED"})
  void ofAJobOfApachesOperatorNothingDoes(FlinkJobState seen) {
    assertThat(isTold(null, seen)).isFalse();
  }
}
