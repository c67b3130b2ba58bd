package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.snapshot.Disposal;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A savepoint that is the newest state of a job that is not up. */
class NewestOfJobTest {

  private static final String PATH = "s3://b/savepoint-ab12cd-0123456789ab";

  private final FakeFlink flink = new FakeFlink();

  private Optional<Disposal> instead(String path) {
    return instead(true, path);
  }

  private Optional<Disposal> instead(boolean knowsAlone, String path) {
    JobOwner owner =
        new JobOwner(
            "FlinkDeployment", Stored.of(Deployed.orders("default")), Jobs.cluster(Map.of()));
    return new NewestOfJob(flink).insteadOf(owner, knowsAlone, path);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILED", "CANCELED", "RESTARTING", "FAILING"})
  void itIsLeftBecauseTheNextJobWouldStartFromIt(FlinkJobState state) {
    flink
        .job(state, 0)
        .checkpoints(Stats.none().checkpoint(6, "s3://b/chk-6").savepoint(7, PATH).build());

    assertThat(instead(PATH + "/_metadata"))
        .hasValueSatisfying(
            it ->
                assertThat(((Disposal.Impossible) it).why())
                    .startsWith("FlinkDeployment ")
                    .contains(" may still be started from it: it is the newest state of its job"));
  }

  @Test
  void oneThatTheJobHasANewerCheckpointThanMayGo() {
    flink
        .job(FlinkJobState.FAILED, 0)
        .checkpoints(Stats.none().checkpoint(8, "s3://b/chk-8").savepoint(7, PATH).build());

    assertThat(instead(PATH)).isEmpty();
  }

  /** Flink restores it from what it was started with, or from a checkpoint. */
  @Test
  void thatOfAJobThatIsUpMayGo() {
    flink.running().checkpoints(Stats.none().savepoint(7, PATH).build());

    assertThat(instead(PATH)).isEmpty();
  }

  /** It may have been restarted a moment ago, and bring the job back from there. */
  @Test
  void thatOfAJobThatItsJobManagerDoesNotKnowIsLeftUnlessSomethingElseTellsWhatThatLeft() {
    flink.noJob();

    assertThat(instead(true, PATH))
        .contains(
            new Disposal.Failed(
                "the JobManager of FlinkDeployment default/orders does not know its job, so it is not known what that left"));
    assertThat(instead(false, PATH)).isEmpty();
  }

  @Test
  void thatOfAJobThatHasFinishedByItselfMayGo() {
    flink.job(FlinkJobState.FINISHED, 0).checkpoints(Stats.none().savepoint(7, PATH).build());

    assertThat(instead(PATH)).isEmpty();
  }
}
