package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.Clusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordEndIT extends ActivitiesScenario {

  private static final Ended END =
      new Ended(Refs.JOB_ID, FlinkJobState.FINISHED, new StateRef.Savepoint("file:/s"), true);

  private final FakeFlink flink = new FakeFlink();

  @BeforeEach
  void aClusterWhoseJobHasFinished() {
    activities = activities(worker, flink);
    admin.resource(Clusters.deployment(namespace, ref.uid())).create();
    flink.job(Jobs.finished(Instant.parse("2026-11-21T08:00:00Z")));
  }

  private void recordEnd() {
    activities.recordEnd(new RecordEndRequest(ref, END, standing()));
  }

  private EndedJob recorded() {
    return read().getStatus().endedJob();
  }

  /** The answer of the first call may be lost, and its cluster deleted since. */
  @Test
  void itIsRecordedOnce() {
    recordEnd();
    EndedJob first = recorded();
    flink.up(false);

    recordEnd();

    assertThat(recorded()).isEqualTo(first);
    assertThat(first.state()).isEqualTo(FlinkJobState.FINISHED);
    assertThat(first.left().path()).isEqualTo("file:/s");
  }

  @Test
  void whatFlinkDidNotTellAtFirstIsRecordedOnceItDoes() {
    Ended untold = new Ended(END.jobId(), END.state(), new StateRef.Unknown("no answer"), true);
    activities.recordEnd(new RecordEndRequest(ref, untold, standing()));
    assertThat(recorded().left()).isNull();

    recordEnd();

    assertThat(recorded().left().path()).isEqualTo("file:/s");
  }

  @Test
  void ofAJobThatRunsAgainItIsNot() {
    flink.running();

    assertThat(failure(this::recordEnd)).isEqualTo(FailureType.OUTDATED);
    assertThat(recorded()).isNull();
  }
}
