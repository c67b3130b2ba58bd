package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobsOnCluster;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A session cluster goes, and no job on it is lost that nobody gave up. */
class SessionClusterDeletionIT extends SessionClusterScenario {

  @Test
  void aClusterThatRunsJobsIsLeftAlone() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    assertThat(type(deletion(JobsOnCluster.NONE, false))).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(cluster)).isFalse();
  }

  @Test
  void aClusterWhoseJobsHaveEndedGoes() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.CANCELED, 0);

    ProbeResult<Void> begun = deletion(JobsOnCluster.NONE, false).look();

    assertThat(begun).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  /** FLINK-40542: what cannot be read is not an empty list. */
  @Test
  void aClusterThatDoesNotTellItsJobsIsLeftAlone() {
    session(Map.of());
    Deployment cluster = runningCluster();
    pod();
    flink.up(false);

    assertThat(type(deletion(JobsOnCluster.NONE, true))).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(cluster)).isFalse();
    assertThat(held().reason()).isEqualTo(Reasons.CLUSTER_NOT_READY);
  }

  @Test
  void whatHoldsTheDeletionNamesTheJobsAndTheKey() {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    HeldDeletion held = held();

    assertThat(held.reason()).isEqualTo(Reasons.OTHER_JOBS);
    assertThat(held.message()).contains(JOB).contains(SessionJobsCheck.BLOCK_ON_UNMANAGED_JOBS);
  }

  @Test
  void theNewestSpecSaysWhetherJobsHoldTheDeletion() {
    session(Map.of(SessionJobsCheck.BLOCK_ON_UNMANAGED_JOBS, "false"));
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    assertThat(held()).isEqualTo(HeldDeletion.NOTHING);
    deletion(JobsOnCluster.NONE, true).look();
    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  @Test
  void sessionJobsHoldTheDeletionAndTheirJobsAreNotUnmanaged() {
    session(Map.of(SessionJobsCheck.BLOCK_ON_SESSION_JOBS, "false"));
    runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);
    SessionJobSource one = cluster -> List.of(new SessionJobSource.SessionJob("totals", JOB));

    assertThat(check(one).held(check(one).ask())).isEqualTo(HeldDeletion.NOTHING);
    session(Map.of());
    assertThat(check(one).held(check(one).ask()).message())
        .contains("totals")
        .contains(SessionJobsCheck.BLOCK_ON_SESSION_JOBS);
  }

  @Test
  void jobsInTheMetadataHoldTheDeletionOfAClusterWhoseDeploymentIsMissing() {
    session(AVAILABLE);
    configMap(CLUSTER_MAP, GRAPHS);
    flink.up(false);

    assertThat(held().message()).contains(JOB).contains("metadata");
  }

  @Test
  void nothingHoldsTheDeletionOfAClusterThatCannotRunAnything() {
    session(Map.of());
    flink.up(false);

    assertThat(held()).isEqualTo(HeldDeletion.NOTHING);
  }

  @Test
  void theMetadataStaysWholeWhereTheJobsComeBack() {
    session(AVAILABLE);
    configMap(CLUSTER_MAP, GRAPHS);

    assertThat(deletion(JobsOnCluster.COME_BACK, false).finish()).isEqualTo(ProbeResult.done(null));
    assertThat(data(CLUSTER_MAP)).isEqualTo(GRAPHS);
  }

  @Test
  void theMetadataGoesWhereTheJobsEnd() {
    session(AVAILABLE);
    configMap(CLUSTER_MAP, GRAPHS);

    assertThat(deletion(JobsOnCluster.END, false).finish()).isEqualTo(ProbeResult.done(null));
    assertThat(configMaps()).isEmpty();
  }

  @Test
  void metadataOfAJobThatWasTakenInTheLastMomentStays() {
    session(AVAILABLE);
    configMap(CLUSTER_MAP, GRAPHS);
    flink.up(false);

    assertThat(deletion(JobsOnCluster.NONE, false).finish())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OUTDATED));
    assertThat(data(CLUSTER_MAP)).isEqualTo(GRAPHS);
  }

  @Test
  void metadataThatFlinkLeavesOfAJobThatHasEndedHoldsNothing() {
    session(AVAILABLE);
    Deployment cluster = runningCluster();
    configMap(CLUSTER_MAP, GRAPHS);
    flink.up(true);
    ClusterDeletion deletion = deletion(JobsOnCluster.NONE, false);
    deletion.look();
    clock.advance(Duration.ofSeconds(4));
    deletion.look();
    client.resource(cluster).withGracePeriod(0).delete();
    flink.up(false);

    assertThat(deletion.finish()).isInstanceOf(ProbeResult.Done.class);
    assertThat(configMaps()).isEmpty();
  }

  @Test
  void aClusterWhosePodsCannotStartGoesAlthoughItWasAvailableOnce() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.up(false);

    assertThat(held()).isEqualTo(HeldDeletion.NOTHING);
    deletion(JobsOnCluster.NONE, false).look();
    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  @Test
  void jobsThatComeAndGoAreNoNews() {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);
    HeldDeletion other = new HeldDeletion(Reasons.OTHER_JOBS, "another job");

    SessionJobsCheck check = check(SessionJobSource.NONE);
    AwaitNoJobsRequest request =
        new AwaitNoJobsRequest(ref, Refs.cluster(ref), other, clock.in(Duration.ofMinutes(2)));

    assertThat(check.look(request, clock.instant())).isInstanceOf(ProbeResult.NotYet.class);
  }
}
