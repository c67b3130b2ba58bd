package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationStatusesTest {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00.123Z");
  private static final VersionRef OLD = Applications.version("aaaaaaaaaa", null, "job-1");
  private static final VersionRef NEW = Applications.version("bbbbbbbbbb", null, "job-2");
  private static final Start START =
      new Start(new StateRef.Savepoint("s3://b/savepoint-1"), "job-1", "job-2");
  private static final ApplicationRecord SUBMITTING =
      ApplicationRecord.NONE
          .in(ApplicationPhase.SUBMITTING_JOB)
          .with(OLD, NEW)
          .starting(START)
          .settled(2);

  static Stream<ApplicationRecord> records() {
    return Stream.of(
        ApplicationRecord.NONE,
        ApplicationRecord.NONE.in(ApplicationPhase.UPDATING).with(null, NEW.running(null)),
        ApplicationRecord.NONE
            .in(ApplicationPhase.SAVEPOINTING)
            .with(OLD, NEW)
            .taking(new Trigger("trigger-1", "job-1", 1_795_248_000_123L, true)),
        ApplicationRecord.NONE
            .in(ApplicationPhase.SAVEPOINTING)
            .with(OLD, NEW)
            .taking(new Trigger("trigger-1", "job-1", 1_795_248_000_123L, false)),
        SUBMITTING,
        SUBMITTING.starting(new Start(new StateRef.Empty("first deployment"), null, null)),
        SUBMITTING
            .starting(
                new Start(
                    START.state(), "job-1", "job-2", new StateRef.Savepoint("s3://b/savepoint-0")))
            .redeploying(7L),
        SUBMITTING.starting(
            new Start(START.state(), "job-1", "job-2", new StateRef.Empty("it has finished"))),
        SUBMITTING.starting(new Start(new StateRef.Checkpoint("s3://b/chk-7"), "job-1", "job-2")),
        ApplicationRecord.NONE
            .in(ApplicationPhase.DEPLOY_FAILED)
            .with(OLD, null)
            .with(new Hashes("bbbbbbbbbb", "cccccccccc", "dddddddddd"))
            .with(new Recoveries(3, 1_795_248_000_123L)),
        ApplicationRecord.NONE
            .in(ApplicationPhase.DUAL_RUNNING)
            .with(
                Applications.version("aaaaaaaaaa", Colour.GREEN, "job-1"),
                Applications.version("bbbbbbbbbb", Colour.BLUE, "job-2"))
            .leaving(new VersionRef("1234abcd", null, "orders-1234abcd", null, 1, "job-0", true)));
  }

  private static FlinkApplicationStatus status(ApplicationRecord record) {
    return ApplicationStatuses.with(FlinkApplicationStatus.EMPTY, record, Map.of(), NOW);
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatIsRecordedIsReadBackAsItWas(ApplicationRecord record) {
    assertThat(ApplicationStatuses.record(status(record))).isEqualTo(record);
  }

  @Test
  void theFieldsOfLyftFollowFromTheRecord() {
    FlinkApplicationStatus status = status(SUBMITTING);

    assertThat(status.phase()).isEqualTo(ApplicationPhase.SUBMITTING_JOB);
    assertThat(status.deployHash()).isEqualTo("aaaaaaaaaa");
    assertThat(status.updatingHash()).isEqualTo("bbbbbbbbbb");
    assertThat(status.savepointPath()).isEqualTo("s3://b/savepoint-1");
    assertThat(status.lastUpdatedAt()).isEqualTo("2026-11-21T08:00:00Z");
    assertThat(status.rollbackHash()).isNull();
  }

  @Test
  void ofTwoThatRunTheDeployedOneIsToldAndTheOneBeside() {
    FlinkApplicationStatus status =
        status(
            ApplicationRecord.NONE
                .in(ApplicationPhase.DUAL_RUNNING)
                .with(
                    Applications.version("aaaaaaaaaa", Colour.GREEN, "job-1"),
                    Applications.version("bbbbbbbbbb", Colour.BLUE, "job-2"))
                .with(new Hashes(null, "cccccccccc", null)));

    assertThat(status.deployHash()).isEqualTo("aaaaaaaaaa");
    assertThat(status.deployVersion()).isEqualTo(Colour.GREEN);
    assertThat(status.updatingHash()).isEqualTo("bbbbbbbbbb");
    assertThat(status.updatingVersion()).isEqualTo(Colour.BLUE);
    assertThat(status.teardownHash()).isEqualTo("cccccccccc");
  }

  @Test
  void theSavepointPathGoesWhenNothingIsStartedFromItAnyMore() {
    assertThat(status(SUBMITTING.in(ApplicationPhase.RUNNING)).savepointPath()).isNull();
  }

  @Test
  void aFailedDeploymentNamesTheVersionThatRuns() {
    FlinkApplicationStatus status =
        status(
            ApplicationRecord.NONE
                .in(ApplicationPhase.DEPLOY_FAILED)
                .with(OLD, null)
                .with(new Hashes("bbbbbbbbbb", null, null)));

    assertThat(status.failedDeployHash()).isEqualTo("bbbbbbbbbb");
    assertThat(status.rollbackHash()).isEqualTo("aaaaaaaaaa");
  }

  @Test
  void theTimeIsThatOfThePhase() {
    FlinkApplicationStatus before = status(SUBMITTING);

    FlinkApplicationStatus after =
        ApplicationStatuses.with(before, SUBMITTING.settled(3), Map.of(), NOW.plusSeconds(60));

    assertThat(after.lastUpdatedAt()).isEqualTo("2026-11-21T08:00:00Z");
  }

  @Test
  void theTriggerIdOfTheLastSavepointStays() {
    FlinkApplicationStatus before =
        status(SUBMITTING.taking(new Trigger("trigger-1", "job-1", 1L, true)));

    assertThat(ApplicationStatuses.with(before, SUBMITTING, Map.of(), NOW).savepointTriggerId())
        .isEqualTo("trigger-1");
  }

  @Test
  void specsStayWithTheirVersions() {
    Map<String, String> specs =
        Map.of(ApplicationStatuses.key(OLD), "{old}", ApplicationStatuses.key(NEW), "{new}");

    FlinkApplicationStatus status =
        ApplicationStatuses.with(
            FlinkApplicationStatus.EMPTY, SUBMITTING.with(NEW, null).leaving(OLD), specs, NOW);

    assertThat(status.deployment().deployed().spec()).isEqualTo("{new}");
    // its port is needed to cancel its job
    assertThat(status.deployment().leaving().spec()).isEqualTo("{old}");
  }

  @Test
  void whatLyftsOperatorHasDeployedIsNotAVersionYet() {
    assertThat(ApplicationStatuses.record(FlinkApplicationStatus.EMPTY.withDeployHash("1234abcd")))
        .isEqualTo(ApplicationRecord.NONE);
  }
}
