package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.local.demo.Counts;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a FlinkSessionJob goes on from, whatever its upgrade mode, its spec or its cluster does. */
@Tag("e2e")
@OnTestCluster
class SessionJobStateIT {

  @Test
  void threeJobsOnFlink120AreUpgradedAndRolledBackEachByItself(Scene scene) throws Exception {
    // given
    Job session = SessionJob.cluster(scene, "three", "flink:1.20");
    session.apply(
        session
            .manifest("session.yaml")
            .image("flink:1.20")
            .version("v1_20")
            .config("taskmanager.numberOfTaskSlots", "4"));
    SessionJob first = new SessionJob(scene.cluster(), session, "first");
    SessionJob second = new SessionJob(scene.cluster(), session, "second");
    SessionJob third = new SessionJob(scene.cluster(), session, "third");
    Manifest lastState = second.manifest().upgradeMode("last-state");
    Manifest savepoint = third.manifest();
    first.apply(first.manifest().upgradeMode("stateless"));
    second.apply(lastState);
    third.apply(savepoint);
    List.of(first, second, third).forEach(it -> it.await("ready", Resource::isReady));
    String untouched = first.jobId();
    String lastStateJob = second.jobId();

    // when one is upgraded by a savepoint
    Counts running = third.counts();
    Manifest saved = savepoint.config("e2e.version", "2");
    Resource stopped = third.deploy(saved);

    // then it goes on where it was stopped, and the other two run untouched
    assertThat(stopped.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(stopped.status("/recordedState/type")).isEqualTo("Savepoint");
    assertThat(third.counts().problemSince(running)).isEmpty();
    first.verifyUntouched(untouched);
    second.verifyUntouched(lastStateJob);

    // when one is upgraded from its last checkpoint
    Counts counted = second.counts();
    second.awaitCheckpoint();
    Resource upgraded = second.deploy(lastState.config("e2e.version", "2"));

    // then it goes on from there
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(upgraded.status("/recordedState/type")).isEqualTo("Checkpoint");
    assertThat(second.counts().problemSince(counted)).isEmpty();

    // when one is upgraded to a program that fails, and that is aborted
    Counts before = third.counts();
    third.apply(saved.plusArgs("--fail-at-start", "main"));
    Resource held =
        third.await("held", it -> it.observed() && it.status("/operation/state").matches("Parked"));
    third.annotate("sluice.dev/abort", "does not start");

    // then its old version goes on where it was stopped
    assertThat(held.status("/operation/message")).contains("--fail-at-start main");
    third.await("rolled back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
    assertThat(third.counts().problemSince(before)).isEmpty();

    // and one has noticed nothing of all that
    first.verifyUntouched(untouched);
    assertThat(session.flink().jobs().stream().filter(it -> it.endsWith("RUNNING")))
        .containsExactlyInAnyOrder(
            first.jobId() + " RUNNING", second.jobId() + " RUNNING", third.jobId() + " RUNNING");
    List.of(first, second, third).forEach(SessionJob::delete);
  }

  /** Nothing but the files of its checkpoints is left to tell what it had done. */
  @Test
  void aJobWhoseJobManagerIsLostWithoutHighAvailabilityGoesOnFromItsNewestCheckpoint(Scene scene)
      throws Exception {
    // given
    Job session = SessionJob.cluster(scene, "forgetful", "flink:2.2");
    session.deploy(session.manifest("session.yaml").config("high-availability.type", "none"));
    SessionJob job = new SessionJob(scene.cluster(), session, "remembered");
    job.deploy(job.manifest());
    Counts before = job.counts();
    job.awaitCheckpoint();
    String lost = job.jobId();

    // when
    session.flink().killJobManager();

    // then
    Resource recovered =
        job.await(
            "recovered",
            it -> it.isReady() && it.operation().equals("Recover Succeeded MarkStable"));
    assertThat(recovered.status("/recordedState/path")).contains("/" + lost + "/chk-");
    assertThat(job.counts().problemSince(before)).isEmpty();
    assertThat(session.flink().jobs()).containsExactly(job.jobId() + " RUNNING");
    job.delete();
  }

  @Test
  void anUpgradeOfTheSessionClusterTakesItsJobsAlongByTheirOwnUpgradeModes(Scene scene)
      throws Exception {
    // given
    Job session = SessionJob.cluster(scene, "moving", "flink:2.2");
    session.deploy(
        session
            .manifest("session.yaml")
            .config("taskmanager.numberOfTaskSlots", "4")
            .config("high-availability.type", "none"));
    SessionJob kept = new SessionJob(scene.cluster(), session, "kept");
    SessionJob last = new SessionJob(scene.cluster(), session, "last");
    SessionJob anew = new SessionJob(scene.cluster(), session, "anew");
    kept.apply(kept.manifest());
    last.apply(last.manifest().upgradeMode("last-state"));
    anew.apply(anew.manifest().upgradeMode("stateless"));
    List.of(kept, last, anew).forEach(it -> it.await("ready", Resource::isReady));
    Counts ofLast = last.counts();
    last.awaitCheckpoint();
    Counts ofKept = kept.counts();
    String keptJob = kept.jobId();
    String lastJob = last.jobId();
    String anewJob = anew.jobId();

    // when
    Resource upgraded = session.deploy(session.applied().config("e2e.session", "2"));

    // then
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(session.flink().configuration("e2e.session")).isEqualTo("2");
    Resource keptBack = back(kept, keptJob);
    assertThat(keptBack.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(keptBack.status("/recordedState/type")).isEqualTo("Savepoint");
    assertThat(kept.counts().problemSince(ofKept)).isEmpty();
    Resource lastBack = back(last, lastJob);
    assertThat(lastBack.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(lastBack.status("/recordedState/type")).isEqualTo("Checkpoint");
    assertThat(last.counts().problemSince(ofLast)).isEmpty();
    Resource anewBack = back(anew, anewJob);
    assertThat(anewBack.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(anew.counts().restored()).isZero();
    assertThat(anew.counts().exact()).isTrue();
    assertThat(session.flink().jobs())
        .containsExactlyInAnyOrder(
            kept.jobId() + " RUNNING", last.jobId() + " RUNNING", anew.jobId() + " RUNNING");
    List.of(kept, last, anew).forEach(SessionJob::delete);
  }

  private static Resource back(SessionJob job, String before) {
    return job.await("back", it -> it.isReady() && !it.status("/submission/jobId").equals(before));
  }
}
