package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.TestClock;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LyftUnderwayTest {

  private static final VersionRef OLD =
      new VersionRef("1234abcd", null, "orders-1234abcd", null, 1, "job-1", true);
  private static final VersionRef NEW =
      new VersionRef("5678abcd", null, "orders-5678abcd", null, 1, null, true);
  private static final String SINCE = "2026-11-25T10:00:00Z";

  private final FlinkApplication resource = new FlinkApplication();

  LyftUnderwayTest() {
    resource.setSpec(Applications.SPEC);
  }

  private ApplicationRecord of(
      ApplicationPhase phase, UnaryOperator<FlinkApplicationStatus> change, VersionRef... found) {
    resource.setStatus(
        change.apply(FlinkApplicationStatus.EMPTY.withPhase(phase).withLastUpdatedAt(SINCE)));
    return LyftUnderway.of(
        new StoredApplication(Applications.RESOURCE, resource),
        ApplicationRecord.NONE.in(phase).with(OLD, null),
        List.of(found),
        new TestClock());
  }

  @Test
  void the_savepoint_with_which_it_stops_the_job_is_waited_for() {
    Trigger stopping = new Trigger("t-1", "job-1", Instant.parse(SINCE).toEpochMilli(), true);

    assertThat(of(ApplicationPhase.DELETING, it -> it.withSavepointTriggerId("t-1"), OLD))
        .extracting(ApplicationRecord::savepoint)
        .isEqualTo(stopping);
    assertThat(of(ApplicationPhase.SAVEPOINTING, it -> it.withSavepointTriggerId("t-1"), OLD))
        .extracting(ApplicationRecord::savepoint)
        .isEqualTo(stopping);
  }

  @Test
  void one_that_stops_nothing_is_not() {
    assertThat(of(ApplicationPhase.RUNNING, it -> it.withSavepointTriggerId("t-1"), OLD))
        .extracting(ApplicationRecord::savepoint)
        .isNull();

    resource.setSpec(Applications.SPEC.withDeploymentMode(DeploymentMode.BLUE_GREEN));
    assertThat(of(ApplicationPhase.SAVEPOINTING, it -> it.withSavepointTriggerId("t-1"), OLD))
        .extracting(ApplicationRecord::savepoint)
        .isNull();
  }

  @Test
  void the_state_that_was_taken_is_kept_and_the_job_may_be_on_the_other_cluster() {
    ApplicationRecord record =
        of(
            ApplicationPhase.SUBMITTING_JOB,
            it -> it.withSavepointTriggerId("t-1").withSavepointPath("s3://b/savepoint-1"),
            OLD,
            NEW);

    assertThat(record.start().state()).isEqualTo(new StateRef.Savepoint("s3://b/savepoint-1"));
    assertThat(record.savepoint()).isNull();
    assertThat(record.target()).isEqualTo(NEW);
  }

  @Test
  void which_of_several_clusters_has_the_job_is_not_guessed() {
    VersionRef third = new VersionRef("9999abcd", null, "orders-9999abcd", null, 1, null, true);

    assertThat(of(ApplicationPhase.SUBMITTING_JOB, it -> it, OLD, NEW, third).target()).isNull();
  }
}
