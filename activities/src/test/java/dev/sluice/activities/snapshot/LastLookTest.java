package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LastLookTest {

  private static final ProbeResult<Outcome> GONE =
      ProbeResult.done(new Outcome.NoJob("The JobManager is gone"));

  private static final Optional<JobOwner> OWNER =
      Optional.of(
          new JobOwner(
              "FlinkDeployment",
              Stored.of(Deployed.orders("default")),
              Jobs.cluster(Map.of("state.savepoints.dir", "s3://bucket/savepoints"))));

  private static LastLook look(
      boolean mayTrigger, @Nullable String path, Optional<JobOwner> owner) {
    return LastLook.of(
        new TakeRequest(
            Jobs.RESOURCE, new Trigger("1", FakeFlink.JOB, 1), List.of(), mayTrigger, 2),
        new SavepointSpec(path, null, null, null),
        owner);
  }

  private static String why(ProbeResult<Outcome> seen) {
    return ((Outcome.NoJob) ((ProbeResult.Done<Outcome>) seen).result()).why();
  }

  @Test
  void itSaysWhereASavepointMayBeThatNobodyTellsOf() {
    assertThat(why(look(false, null, OWNER).judge(GONE)))
        .isEqualTo(
            "The JobManager is gone; if it was completed, it is in s3://bucket/savepoints, named"
                + " savepoint-ab12cd-*");
  }

  @Test
  void theDirectoryOfTheSpecComesFirst() {
    assertThat(why(look(false, "s3://mine", OWNER).judge(GONE))).contains(" in s3://mine, named");
    assertThat(why(look(false, "s3://mine", Optional.empty()).judge(GONE))).contains("s3://mine");
  }

  @Test
  void withoutItsClusterTheDirectoryIsNotKnown() {
    assertThat(why(look(false, null, Optional.empty()).judge(GONE)))
        .contains("that its cluster was configured with");
  }

  @Test
  void aClusterThatWasReplacedIsNoFailure() {
    assertThat(why(look(false, null, OWNER).judge(ProbeResult.failed("Outdated", "of another"))))
        .startsWith("of another; if it was completed");
  }

  @Test
  void noAnswerSaysSoToo() {
    assertThat(
            look(false, "s3://mine", OWNER)
                .judge(ProbeResult.done(new Outcome.Unknown("The JobManager is silent"))))
        .isEqualTo(
            ProbeResult.done(
                new Outcome.Unknown(
                    "The JobManager is silent; if it was completed, it is in s3://mine, named"
                        + " savepoint-ab12cd-*")));
  }

  @Test
  void anyOtherLookIsLeftAsItIs() {
    ProbeResult<Outcome> outdated = ProbeResult.failed("Outdated", "of another");

    assertThat(look(true, null, OWNER).judge(GONE)).isSameAs(GONE);
    assertThat(look(true, null, OWNER).judge(outdated)).isSameAs(outdated);
  }
}
