package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParallelismWaitTest {

  private static final ResourceRequirements WANTED =
      new ResourceRequirements(Map.of("a", new Bounds(1, 3)));

  private final FakeFlink flink = new FakeFlink();

  @BeforeEach
  void required() {
    flink.vertex("a", 1, 3, 128);
  }

  private ProbeResult<String> look() {
    Endpoint endpoint = new Endpoint(Refs.cluster(Refs.RESOURCE), 8081);
    return new ParallelismWait(flink, endpoint, FakeFlink.JOB, WANTED).look();
  }

  private void runs(int subtasks) {
    flink.job(FakeFlink.JOB, FlinkJobState.RUNNING, FakeFlink.tasks(subtasks, 0, 0));
    flink.runsWith("a", subtasks);
  }

  @Test
  void itEndsWhenEveryVertexRunsAsRequired() {
    runs(3);

    assertThat(look()).isEqualTo(ProbeResult.done("3 of 3 tasks running"));
  }

  @Test
  void aJobThatRunsWithFewerSubtasksIsWaitedFor() {
    runs(2);

    assertThat(look()).isEqualTo(ProbeResult.notYet("vertex a runs with 2 subtasks, not 3"));
  }

  /** What the vertices say is of a moment ago. */
  @Test
  void theVerticesAloneAreNotBelieved() {
    runs(2);
    flink.runsWith("a", 3);

    assertThat(look()).isEqualTo(ProbeResult.notYet("2 of 2 tasks running"));
  }

  @Test
  void aJobThatRestartsIsWaitedFor() {
    flink.job(FakeFlink.JOB, FlinkJobState.RESTARTING, FakeFlink.tasks(0, 0, 3));

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
  }

  /** A JobManager was lost without high availability: it is required anew. */
  @Test
  void otherRequirementsAreNotWaitedFor() {
    flink.vertex("a", 1, 1, 128);
    runs(1);

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OUTDATED));
  }

  @Test
  void aJobThatFailsEndsIt() {
    flink.job(FakeFlink.JOB, FlinkJobState.FAILED, FakeFlink.tasks(0, 0, 3));

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.JOB_FAILED));
  }

  @Test
  void aJobThatHasFinishedHasNothingLeftToScale() {
    flink.job(FakeFlink.JOB, FlinkJobState.FINISHED, FakeFlink.tasks(0, 3, 0));

    assertThat(look()).isEqualTo(ProbeResult.done("the job has finished"));
  }

  @Test
  void aJobThatIsNotThereYetIsWaitedFor() {
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
  }
}
