package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the JobManager of a session cluster tells of the jobs on it. */
class SessionLookTest {

  private static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes");

  private final FakeFlink flink = new FakeFlink();

  private JobProbe.Probe look(Map<String, String> configuration) {
    RunningCluster cluster =
        new RunningCluster(
            Refs.CLUSTER,
            Endpoint.of(Refs.CLUSTER),
            FlinkConfiguration.of(configuration),
            "cluster-1",
            3L,
            true);
    return new SessionLook(flink, cluster).look();
  }

  private void threeJobs() {
    flink
        .job("a", FlinkJobState.RUNNING, FakeFlink.tasks(1, 0, 0))
        .job("b", FlinkJobState.RUNNING, FakeFlink.tasks(1, 0, 0))
        .job("c", FlinkJobState.FINISHED, FakeFlink.tasks(0, 1, 0));
  }

  private static Checkpoints saving() {
    return Stats.none().savingSince(FakeFlink.BEGUN.plusSeconds(90)).build();
  }

  @Test
  void noneOfThemIsTheClustersOwn() {
    threeJobs();

    JobProbe.Probe seen = look(Map.of());

    assertThat(seen.job()).isEqualTo(new Absent("cluster-1"));
    assertThat(seen.otherJobs()).containsExactly("a", "b");
    assertThat(seen.settled()).isTrue();
  }

  /** They run until the cluster goes: an upgrade waits for it. */
  @Test
  void whereHighAvailabilityBringsThemBackASavepointInProgressIsTold() {
    threeJobs();
    flink.checkpoints("b", saving()).checkpoints("c", saving());

    JobProbe.Probe seen = look(AVAILABLE);

    assertThat(seen.savepoints()).containsExactly("b");
    assertThat(seen.settled()).isFalse();
    assertThat(seen.progress()).isEqualTo("2 jobs run, a savepoint is in progress");
  }

  @Test
  void elsewhereNoJobIsAsked() {
    threeJobs();
    flink.checkpoints(saving());

    assertThat(look(Map.of()).savepoints()).isEmpty();
    assertThat(flink.requests).isEqualTo(1);
  }

  @Test
  void aJobManagerThatDoesNotAnswerTellsNothing() {
    flink.up(false);

    assertThat(look(AVAILABLE).job()).isInstanceOf(Unreachable.class);
  }
}
