package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.Finalizers;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationError;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationJobStatus;
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
import dev.sluice.api.application.JobManagerConfig;
import dev.sluice.api.application.NamedSavepoint;
import dev.sluice.api.application.Promotion;
import dev.sluice.api.application.SavepointInProgress;
import dev.sluice.api.application.ScaleMode;
import dev.sluice.api.application.TaskManagerConfig;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page is complete: whoever adds a field or a phase must say what it means, where it belongs.
 */
class FlinkApplicationPageTest {

  private static final String PAGE = "flinkapplication.md";
  private static final PageSection SPEC = PageSection.of(PAGE, "Spec");
  private static final PageSection STATUS = PageSection.of(PAGE, "Status");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Each field of the spec with another value than its default. */
  private static final String OTHER =
      """
      image: words:2.0
      imagePullPolicy: Always
      imagePullSecrets: [{name: pull}]
      serviceAccountName: flink
      securityContext: {runAsUser: 9999}
      flinkConfig: {state.backend.type: rocksdb}
      flinkVersion: "1.20"
      jobManagerConfig: {replicas: 2}
      taskManagerConfig: {taskSlots: 2}
      jarName: words.jar
      parallelism: 3
      entryClass: org.example.Words
      programArgs: --rate 25
      savepointInfo: {savepointLocation: file:///s}
      savepointPath: file:///s
      savepointRedeployNonce: 1
      savepointDisabled: true
      deploymentMode: BlueGreen
      rpcPort: 7001
      queryPort: 7002
      blobPort: 7003
      uiPort: 7004
      metricsQueryPort: 7005
      volumes: [{name: data, emptyDir: {}}]
      volumeMounts: [{name: data, mountPath: /data}]
      restartNonce: again
      deleteMode: None
      scaleMode: InPlace
      allowNonRestoredState: true
      forceRollback: true
      maxCheckpointRestoreAgeSeconds: 60
      tearDownVersionHash: 1a2b3c4d5e
      fallbackWithoutState: true
      promotion: {checkpoints: 3}
      """;

  static Stream<String> names(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
  }

  static Stream<String> specFields() {
    return names(FlinkApplicationSpec.class);
  }

  static Stream<Arguments> nested() {
    return Stream.of(
            row(SPEC, "savepointInfo", names(NamedSavepoint.class)),
            row(SPEC, "promotion", names(Promotion.class)),
            row(SPEC, "envConfig", names(EnvironmentConfig.class)),
            row(SPEC, "deploymentMode", wire(DeploymentMode.values())),
            row(SPEC, "deleteMode", wire(DeleteMode.values())),
            row(SPEC, "scaleMode", wire(ScaleMode.values())),
            row(STATUS, "deployment", names(ApplicationDeployment.class)),
            row(STATUS, "deployment", names(DeployedVersion.class)),
            row(STATUS, "deployment", names(SavepointInProgress.class)),
            row(STATUS, "lastSeenError", names(ApplicationError.class)),
            row(STATUS, "clusterStatus", names(ClusterStatus.class)),
            row(STATUS, "jobStatus", names(ApplicationJobStatus.class)),
            row(STATUS, "versionStatuses", Stream.of("appVersion", "versionHash")),
            row(STATUS, "versionStatuses", wire(Colour.values())))
        .flatMap(rows -> rows);
  }

  private static Stream<Arguments> row(PageSection section, String row, Stream<String> words) {
    return words.map(word -> arguments(row, word, section));
  }

  private static Stream<String> wire(Object... values) {
    return Arrays.stream(values).map(Object::toString);
  }

  @Test
  void theTablesHaveTheFieldsOfTheSpecAndNoOther() {
    assertThat(SPEC.namesWith("hash")).containsExactlyInAnyOrderElementsOf(specFields().toList());
    assertThat(SPEC.names())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(FlinkApplicationSpec.class, JobManagerConfig.class, TaskManagerConfig.class)
                .flatMap(FlinkApplicationPageTest::names)
                .distinct()
                .toList());
  }

  @Test
  void theTableHasTheFieldsOfTheStatusAndNoOther() {
    assertThat(STATUS.namesWith("writer"))
        .containsExactlyInAnyOrderElementsOf(names(FlinkApplicationStatus.class).toList());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("nested")
  void theRowOfAFieldHasItsFieldsOrValues(String row, String word, PageSection section) {
    assertThat(section.words(row)).contains(word);
  }

  @Test
  void thereIsARowForEachPhaseAndHealth() {
    assertThat(PageSection.of(PAGE, "Operations").namesWith("step"))
        .containsExactlyInAnyOrderElementsOf(
            wire((Object[]) ApplicationPhase.values()).filter(it -> !it.isEmpty()).toList());
    assertThat(STATUS.namesWith("cluster"))
        .containsExactlyInAnyOrderElementsOf(wire((Object[]) HealthStatus.values()).toList());
  }

  @Test
  void bothFinalizersAreNamedWhereOneTakesThePlaceOfTheOther() {
    assertThat(PageSection.of(PAGE, "Taking over from Lyft's operator").words())
        .contains(Finalizers.FLINK_APPLICATION, FlinkApplication.LYFT_FINALIZER);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specFields")
  void aDefaultIsTheOneOfTheCode(String field) {
    Set<String> withoutOne = Set.of("jobManagerConfig", "taskManagerConfig");
    String value = JSON.valueToTree(FlinkApplicationSpec.EMPTY).path(field).asText("");

    assertThat(SPEC.value(field, "default")).isEqualTo(withoutOne.contains(field) ? "" : value);
  }

  @Test
  void theDefaultsOfThePodsAreThoseOfTheCode() {
    assertThat(SPEC.value("replicas", "default"))
        .isEqualTo(JobManagerConfig.DEFAULT.replicas().toString());
    assertThat(SPEC.value("taskSlots", "default"))
        .isEqualTo(TaskManagerConfig.DEFAULT.taskSlots().toString());
    assertThat(SPEC.value("resources", "default"))
        .isEqualTo(
            "%s CPUs, %s; %s CPUs, %s",
            JobManagerConfig.DEFAULT.resources().getRequests().get("cpu"),
            JobManagerConfig.DEFAULT.resources().getRequests().get("memory"),
            TaskManagerConfig.DEFAULT.resources().getRequests().get("cpu"),
            TaskManagerConfig.DEFAULT.resources().getRequests().get("memory"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specFields")
  void theHashIsAsTheColumnSays(String field) throws Exception {
    ObjectNode other = (ObjectNode) new YAMLMapper().readTree(OTHER);
    FlinkApplicationSpec changed =
        JSON.treeToValue(other.retain(field), FlinkApplicationSpec.class);
    assertThat(other.has(field)).isTrue();

    boolean another =
        !ApplicationHash.of(changed).equals(ApplicationHash.of(FlinkApplicationSpec.EMPTY));

    assertThat(SPEC.value(field, "hash")).matches(another ? "yes|where .*" : "no");
  }
}
