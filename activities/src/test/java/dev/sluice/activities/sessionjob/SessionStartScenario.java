package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker that starts a job on a session cluster, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
abstract class SessionStartScenario {

  static final StateRef SAVEPOINT = new StateRef.Savepoint("file:/s");

  final List<JarSubmission.Run> runs = new CopyOnWriteArrayList<>();
  SessionRig rig;
  FakeFlink flink;
  JarSubmission submission;
  JobStarts starts;

  @BeforeEach
  void aWorker(ApiServer server) {
    rig = new SessionRig(server);
    flink = rig.flink;
    submission = (cluster, job, alive) -> accept(job);
    starts = new JobStarts((cluster, job, alive) -> run(cluster, job, alive), 1);
  }

  private void run(Endpoint cluster, JarSubmission.Run job, JarSubmission.Lease alive) {
    runs.add(job);
    submission.run(cluster, job, alive);
  }

  void accept(JarSubmission.Run job) {
    flink.job(job.jobId(), FlinkJobState.RUNNING, FakeFlink.tasks(8, 0, 0));
  }

  JobStartOnSession start(ResourceRef ref, String jobId) {
    return new JobStartOnSession(
        new StartJobRequest(ref, rig.job(jobId), 1, SAVEPOINT, rig.clock.in(Duration.ofMinutes(5))),
        rig.clusters(),
        rig.writer(),
        starts);
  }

  StartJobRequest request(ResourceRef ref, String jobId) {
    return new StartJobRequest(
        ref, rig.job(jobId), 1, SAVEPOINT, rig.clock.in(Duration.ofMinutes(5)));
  }

  JobStartOnSession start(ResourceRef ref) {
    return start(ref, Refs.JOB_ID);
  }

  static ProbeResult<Void> look(JobStartOnSession start) {
    return Looks.at(() -> start.look(() -> true));
  }

  static ProbeResult<Void> decided(JobStartOnSession start) {
    return SessionRig.decided(start::look);
  }

  static void waits(ProbeResult<Void> outcome, String words) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class, it -> assertThat(it.progress()).contains(words));
  }

  static void fails(ProbeResult<Void> outcome, String type, String words) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            it -> {
              assertThat(it.type()).isEqualTo(type);
              assertThat(it.message()).contains(words);
            });
  }

  /** The look that runs the job. */
  static ProbeResult<Void> run(JobStartOnSession start) {
    waits(look(start), "fetched, uploaded and run");
    return look(start);
  }
}
