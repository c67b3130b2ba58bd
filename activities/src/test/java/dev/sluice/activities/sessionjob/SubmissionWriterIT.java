package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.cluster.PlannedStart;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.support.Created;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is noted before Flink is asked to run a job, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
class SubmissionWriterIT {

  private static final StateRef SAVEPOINT = new StateRef.Savepoint("file:/s");
  private static final Submission NOTED =
      new Submission(Refs.JOB_ID, 1L, "c1", "process", false, null);

  private KubernetesClient client;
  private SubmissionWriter writer;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    FlinkSessionJobStore store =
        new FlinkSessionJobStore(client, new FlinkDeploymentStore(client), StableAfter.NONE);
    writer = new SubmissionWriter(client, store, Clock.systemUTC());
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.UPGRADING);
    job.setStatus(
        job.getStatus()
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT, "file:/s", null, "before", Refs.JOB_ID)));
    ref = Refs.of(Created.in(client, server.namespace(), job));
  }

  private FlinkSessionJob read() {
    return client
        .resources(FlinkSessionJob.class)
        .inNamespace(ref.namespace())
        .withName(ref.name())
        .get();
  }

  private void set(FlinkSessionJobStatus status) {
    FlinkSessionJob job = read();
    job.setStatus(status);
    FlinkSessionJob unused = client.resource(job).updateStatus();
  }

  private @Nullable Submission submission() {
    return read().getStatus().submission();
  }

  private PlannedStart start(String jobId, long generation) {
    return new PlannedStart(ref, jobId, generation, SAVEPOINT);
  }

  private void note() {
    assertThat(writer.note(start(Refs.JOB_ID, 1), "c1", "process").target().generation())
        .isEqualTo(1);
  }

  private static void isOutdated(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            it -> assertThat(it.getType()).isEqualTo(FailureType.OUTDATED));
  }

  /** An earlier attempt may have asked, on the process of that time. */
  @Test
  void whatIsNotedForTheJobStaysAsItIs() {
    note();

    assertThat(writer.note(start(Refs.JOB_ID, 1), "c2", "another").target().generation())
        .isEqualTo(1);
    assertThat(submission()).isEqualTo(NOTED);
  }

  @Test
  void aReportOfTheOperationDoesNotTakeItAway() {
    note();

    var unused =
        client
            .resource(
                Apply.status(
                    FlinkSessionJobStore.TYPE,
                    read().getMetadata(),
                    Map.of("operation", Map.of("message", "told"))))
            .subresource("status")
            .patch(Apply.context());

    assertThat(submission()).isEqualTo(NOTED);
  }

  @Test
  void nothingIsNotedForAnotherJobOrGenerationThanTheFrozenOne() {
    isOutdated(() -> writer.note(start(Refs.OTHER_JOB_ID, 1), "c1", "process"));
    isOutdated(() -> writer.note(start(Refs.JOB_ID, 2), "c1", "process"));

    assertThat(submission()).isNull();
  }

  @Test
  void nothingIsNotedOnceTheOperationHasEnded() {
    set(SessionJobs.frozen(read(), ReconciliationState.DEPLOYED).getStatus());

    isOutdated(() -> writer.note(start(Refs.JOB_ID, 1), "c1", "process"));
  }

  /** A start that was on its way when the job was observed. */
  @Test
  void anotherJobThatMayRunIsNotForgotten() {
    set(
        read()
            .getStatus()
            .withSubmission(new Submission(Refs.OTHER_JOB_ID, 1L, null, null, null, null)));

    isOutdated(() -> writer.note(start(Refs.JOB_ID, 1), "c1", "process"));

    assertThat(submission())
        .isEqualTo(new Submission(Refs.OTHER_JOB_ID, 1L, null, null, null, null));
  }

  @Test
  void anotherJobThatWasEndedMakesRoom() {
    set(
        read()
            .getStatus()
            .withSubmission(new Submission(Refs.OTHER_JOB_ID, 1L, "c0", null, true, null)));

    note();

    assertThat(submission()).isEqualTo(NOTED);
  }

  @Test
  void aJobThatWasEndedIsNotStartedAgain() {
    note();
    writer.remove(ref, Refs.JOB_ID);

    isOutdated(() -> writer.note(start(Refs.JOB_ID, 1), "c1", "process"));
  }

  private SubmissionWriter.Sent send() {
    return writer.sending(start(Refs.JOB_ID, 1), "c1", "process", asked -> {});
  }

  /** A worker that was paused says what became of its own run, and of no other. */
  @Test
  void aRunThatAnotherWorkerHasSentMeanwhileStaysNoted() {
    note();
    SubmissionWriter.Sent first = send();
    SubmissionWriter.Sent second = send();

    writer.startedNothing(ref, Refs.JOB_ID, first.at());

    assertThat(second.again()).isTrue();
    assertThat(submission())
        .isEqualTo(new Submission(Refs.JOB_ID, 1L, "c1", "process", false, second.at().toString()));
  }

  @Test
  void theEndOfAnotherJobChangesNothing() {
    note();

    writer.remove(ref, Refs.OTHER_JOB_ID);

    assertThat(submission()).isEqualTo(NOTED);
  }
}
