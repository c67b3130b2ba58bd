package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.CheckpointProgress;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.FailedCheckpoints;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClusterDetailsTest {

  private static final Instant COMPLETED = Instant.ofEpochSecond(100);
  private static final Instant FIRST = Instant.ofEpochSecond(110);
  private static final Instant SECOND = Instant.ofEpochSecond(120);

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final ClusterDetails details = new ClusterDetails(flink.client());

  @Test
  void one_that_failed_is_no_problem() {
    assertThat(FailedCheckpoints.of("job-1", progress(FIRST))).isEmpty();
  }

  @Test
  void two_in_a_row_are_told_with_the_cause_and_the_state_that_is_left() {
    assertThat(FailedCheckpoints.of("job-1", progress(FIRST, SECOND)))
        .contains(
            new FailedCheckpoints(
                "job-1", List.of(FIRST, SECOND), Optional.of(COMPLETED), "disk full"));
  }

  @Test
  void a_job_whose_checkpoints_fail_is_seen_and_also_when_they_do_not_any_more() {
    flink.checkpoints(progress(FIRST, SECOND));

    assertThat(seenIn120Passes()).isPresent();
    flink.checkpoints(progress());
    assertThat(seenIn120Passes()).isEmpty();
  }

  private Optional<FailedCheckpoints> seenIn120Passes() {
    PollTarget target =
        new PollTarget(Endpoint.of(new ClusterRef("default", "orders")), "job-1", "a", null, false);
    Job job =
        new Job(
            "job-1",
            "orders",
            FlinkJobState.RUNNING,
            true,
            new Times(Instant.EPOCH, Instant.EPOCH),
            Optional.empty(),
            List.of());
    for (int i = 0; i < 120; i++) {
      ClusterDetails.Known unused = details.of(target, Optional.of(job));
    }
    return details.of(target, Optional.of(job)).failing();
  }

  private static CheckpointProgress progress(Instant... failed) {
    return new CheckpointProgress(
        OptionalLong.of(17),
        Optional.of(COMPLETED),
        List.of(failed),
        Optional.of("disk full"),
        Optional.empty());
  }
}
