package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.Annotations;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationError;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.ClusterStatus;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.EnvironmentConfig;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.HealthStatus;
import dev.sluice.api.application.NamedSavepoint;
import dev.sluice.api.application.Promotion;
import dev.sluice.api.application.SavepointInProgress;
import dev.sluice.api.application.ScaleMode;
import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionSource;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.Resource;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages are complete: whoever adds a field, a state or a reason must say there what it is. */
class PagesTest {
  private static final String DEPLOYMENT = "flinkdeployment.md";
  private static final String APPLICATION = "flinkapplication.md";
  private static final String BLUE_GREEN = "blue-green.md";
  private static final String SNAPSHOTS = "snapshots.md";

  private static Stream<String> names(Class<?> type, String... without) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .filter(it -> !List.of(without).contains(it));
  }

  private static Stream<String> below(String field, Class<?> type) {
    return names(type).map(name -> field + "." + name);
  }

  private static Stream<String> words(Object... values) {
    return Arrays.stream(values).map(Object::toString);
  }

  private static Stream<String> constants(Class<?> type) {
    return Arrays.stream(type.getFields()).map(PagesTest::value);
  }

  private static String value(Field constant) {
    try {
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Page, section, head of a column of its tables, and the rows that these have. */
  @SafeVarargs
  private static Arguments table(
      String page, String section, String column, Stream<String>... rows) {
    return arguments(page, section, column, Stream.of(rows).flatMap(it -> it).toList());
  }

  static Stream<Arguments> tables() {
    return Stream.of(
        table(
            DEPLOYMENT,
            "Spec",
            "field of `spec`",
            names(FlinkDeploymentSpec.class, "ingress", "jobManager", "taskManager"),
            below("ingress", IngressSpec.class),
            below("jobManager", JobManagerSpec.class),
            below("taskManager", TaskManagerSpec.class)),
        table(DEPLOYMENT, "Spec", "field of `spec.job`", names(JobSpec.class)),
        table(DEPLOYMENT, "Status", "field of `status`", names(FlinkDeploymentStatus.class)),
        table(DEPLOYMENT, "Status", "field", names(OperationStatus.class)),
        table(SNAPSHOTS, "Status", "field", names(FlinkStateSnapshotStatus.class)),
        table(SNAPSHOTS, "Status", "`state`", words(SnapshotState.values())),
        table(
            SNAPSHOTS,
            "Spec",
            "field",
            names(FlinkStateSnapshotSpec.class, "jobReference", "savepoint"),
            below("jobReference", JobReference.class),
            below("savepoint", SavepointSpec.class),
            below("checkpoint", CheckpointSpec.class)),
        table(
            BLUE_GREEN,
            "Spec",
            "field",
            names(FlinkBlueGreenDeploymentSpec.class, "template"),
            below("template", ChildTemplate.class).filter(it -> !it.endsWith("metadata")),
            below("template.metadata", ChildMetadata.class)),
        table(
            BLUE_GREEN,
            "Status",
            "field",
            names(FlinkBlueGreenDeploymentStatus.class, "live", "transition", "givenUp"),
            below("live", LiveChild.class),
            below("transition", TransitionStatus.class),
            below("givenUp", GivenUp.class)),
        table(APPLICATION, "Spec", "hash", names(FlinkApplicationSpec.class)),
        table(APPLICATION, "Status", "writer", names(FlinkApplicationStatus.class)),
        table(
            APPLICATION,
            "Operations",
            "step",
            words(ApplicationPhase.values()).filter(it -> !it.isEmpty())),
        table(APPLICATION, "Status", "cluster", words(HealthStatus.values())));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("tables")
  void aTableHasTheseRowsAndNoOther(String page, String section, String column, List<String> rows) {
    assertThat(PageSection.of(page, section).namesWith(column))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  /** Page, section, name of a row, and the code that is in it. */
  private static Arguments row(String page, String section, String row, Stream<String> words) {
    return arguments(page, section, row, words.toList());
  }

  static Stream<Arguments> rows() {
    return Stream.of(
        row(DEPLOYMENT, "Spec", "jobManager.resource", names(Resource.class)),
        row(DEPLOYMENT, "Status", "jobStatus", names(JobStatus.class)),
        row(DEPLOYMENT, "Status", "reconciliationStatus", names(ReconciliationStatus.class)),
        row(DEPLOYMENT, "Status", "requests", names(HandledRequests.class)),
        row(DEPLOYMENT, "Status", "type", words(OperationType.values())),
        row(DEPLOYMENT, "Status", "state", words(OperationState.values())),
        row(SNAPSHOTS, "Spec", "savepoint.formatType", words(SavepointFormatType.values())),
        row(SNAPSHOTS, "Spec", "checkpoint.checkpointType", words(CheckpointType.values())),
        row(
            SNAPSHOTS,
            "Status",
            "conditions",
            constants(Reasons.class).filter(it -> it.startsWith("Snapshot"))),
        row(BLUE_GREEN, "Status", "blueGreenState", words(BlueGreenState.values())),
        row(BLUE_GREEN, "Status", "transition.source", words(TransitionSource.values())),
        row(BLUE_GREEN, "Spec", BlueGreenOptions.ON_ABORT, words(AbortAction.values())),
        row(BLUE_GREEN, "Spec", BlueGreenOptions.CUT_OVER, words(CutOver.values())),
        row(APPLICATION, "Spec", "savepointInfo", names(NamedSavepoint.class)),
        row(APPLICATION, "Spec", "promotion", names(Promotion.class)),
        row(APPLICATION, "Spec", "envConfig", names(EnvironmentConfig.class)),
        row(APPLICATION, "Spec", "deploymentMode", words(DeploymentMode.values())),
        row(APPLICATION, "Spec", "deleteMode", words(DeleteMode.values())),
        row(APPLICATION, "Spec", "scaleMode", words(ScaleMode.values())),
        row(APPLICATION, "Status", "deployment", names(ApplicationDeployment.class)),
        row(APPLICATION, "Status", "deployment", names(DeployedVersion.class)),
        row(APPLICATION, "Status", "deployment", names(SavepointInProgress.class)),
        row(APPLICATION, "Status", "lastSeenError", names(ApplicationError.class)),
        row(APPLICATION, "Status", "clusterStatus", names(ClusterStatus.class)),
        row(APPLICATION, "Status", "jobStatus", names(ApplicationJobStatus.class)),
        row(APPLICATION, "Status", "versionStatuses", words(Colour.values())));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("rows")
  void aRowHasTheseWords(String page, String section, String row, List<String> words) {
    assertThat(PageSection.of(page, section).words(row)).containsAll(words);
  }

  @Test
  void annotationsAndFinalizersAreNamed() {
    PageSection annotations = PageSection.of(DEPLOYMENT, "Annotations");
    assertThat(annotations.namesWith("annotation"))
        .containsAll(constants(Annotations.class).toList())
        .contains(
            FlinkBlueGreenDeployment.WENT_BACK,
            ApplicationLabels.FULL_HASH,
            ApplicationLabels.CLUSTER);
    assertThat(annotations.words())
        .contains(
            FlinkDeployment.FINALIZER,
            FlinkSessionJob.FINALIZER,
            FlinkBlueGreenDeployment.FINALIZER,
            FlinkApplication.FINALIZER);
    assertThat(PageSection.of(SNAPSHOTS, "Deletion").words())
        .contains(FlinkStateSnapshot.FINALIZER);
    assertThat(PageSection.of(BLUE_GREEN, "Deletion").words())
        .contains(FlinkBlueGreenDeployment.FINALIZER);
    assertThat(PageSection.of(APPLICATION, "Taking over from Lyft's operator").words())
        .contains(FlinkApplication.FINALIZER, FlinkApplication.LYFT_FINALIZER);
  }
}
