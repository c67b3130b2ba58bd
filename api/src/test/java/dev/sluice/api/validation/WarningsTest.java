package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is accepted but has no effect is named. */
class WarningsTest {
  private static final Resource SIZE = new Resource(1.0, "2g", null);

  @Test
  void aSpecInWhichEverythingHasAnEffectHasNone() {
    FlinkDeploymentSpec spec =
        Specs.template("{metadata: {labels: {team: shop}}, spec: {nodeSelector: {zone: a}}}")
            .withConfiguration(
                Specs.configured(
                        Map.of(
                            "taskmanager.numberOfTaskSlots", "2",
                            "kubernetes.jobmanager.labels", "team:shop",
                            "kubernetes.operator.job.savepoint-on-deletion", "true",
                            "kubernetes.operator.savepoint.format.type", "NATIVE",
                            "kubernetes.operator.deployment.readiness.timeout", "1 min"))
                    .configuration());

    assertThat(Specs.warnings(spec)).isEmpty();
  }

  @Test
  void anIngressHasNoPort() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withIngress(
            new IngressSpec("a.example.com:8443", null, Map.of(), Map.of(), List.of()));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.ingress.template: its port 8443 has no effect: the Ingress controller decides."
                + " Remove it");
  }

  @Test
  void theNonceOfTheAutoscalerHasNoEffect() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJob(
            Specs.JOB
                .withSavepointTriggerNonce(1L)
                .withCheckpointTriggerNonce(2L)
                .withAutoscalerResetNonce(3L));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.job.autoscalerResetNonce: has no effect yet: there is no autoscaler");
  }

  @Test
  void aNonceForACheckpointHasNoEffectBeforeFlink117() {
    FlinkDeploymentSpec spec =
        Specs.VALID
            .withFlinkVersion(FlinkVersion.V1_16)
            .withJob(Specs.JOB.withSavepointTriggerNonce(1L).withCheckpointTriggerNonce(2L))
            .withConfiguration(
                Specs.configured("kubernetes.operator.periodic.checkpoint.interval", "1 h")
                    .configuration());

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.flinkConfiguration.kubernetes.operator.periodic.checkpoint.interval: has no"
                + " effect: Flink takes checkpoints by request since 1.17",
            "spec.job.checkpointTriggerNonce: has no effect: Flink takes checkpoints by request"
                + " since 1.17");
  }

  @Test
  void theParallelismDoesNotCountBesideTaskManagers() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withTaskManager(new TaskManagerSpec(SIZE, null, 5, null));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.job.parallelism: has no effect beside spec.taskManager.replicas: the parallelism"
                + " is replicas times slots, 5. Remove one of the two");
  }

  @Test
  void theSameParallelismIsNoContradiction() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withTaskManager(new TaskManagerSpec(SIZE, null, 2, null));

    assertThat(Specs.warnings(spec)).isEmpty();
  }

  @Test
  void theOlderStyleOfResourcesDoesNotCountBesideTheNewer() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJobManager(
            new JobManagerSpec(
                SIZE,
                new ResourceRequirementsBuilder()
                    .addToLimits("memory", new Quantity("1Gi"))
                    .addToRequests("cpu", new Quantity("1"))
                    .build(),
                1,
                null));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.jobManager.resource.cpu: has no effect beside spec.jobManager.resources. Remove"
                + " it",
            "spec.jobManager.resource.memory: has no effect beside spec.jobManager.resources."
                + " Remove it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.savepoint.history.max.count.threshold",
        "kubernetes.operator.user.artifacts.http.header",
        "kubernetes.operator.reconcile.interval",
        "kubernetes.operator.plugins.listeners.x.class",
        "kubernetes.operator.job.savepoint-on-deletio",
      })
  void keysForAnOperatorThatNothingReadsAreNamed(String key) {
    assertThat(Specs.warnings(Specs.configured(key, "x")))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": has no effect here. Check its spelling");
  }

  @Test
  void aKeyOfSessionClustersIsNamed() {
    String key = "kubernetes.operator.session.deletion.block-on-session-jobs";

    assertThat(Specs.warnings(Specs.configured(key, "x")))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": has no effect: it is a setting of session clusters. Remove it");
  }

  /** FLINK-32589: there is none whose settings an update could clear. */
  @Test
  void theAutoscalerIsNamedOnce() {
    FlinkDeploymentSpec spec =
        Specs.configured(
            Map.of("job.autoscaler.enabled", "true", "job.autoscaler.target.utilization", "0.7"));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.flinkConfiguration.job.autoscaler.*: has no effect yet: there is no autoscaler");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "kubernetes.jobmanager.replicas, spec.jobManager.replicas",
    "kubernetes.service-account, spec.serviceAccount",
    "kubernetes.container.image, spec.image",
    "kubernetes.container.image.ref, spec.image",
    "execution.savepoint.path, spec.job.initialSavepointPath",
    "execution.state-recovery.path, spec.job.initialSavepointPath",
    "parallelism.default, spec.job.parallelism",
    "pipeline.jars, spec.job.jarURI",
    "jobmanager.memory.process.size, the memory of spec.jobManager",
    "taskmanager.memory.process.size, the memory of spec.taskManager",
  })
  void keysThatAFieldDecidesAreNamedWithTheField(String key, String field) {
    assertThat(Specs.warnings(Specs.configured(key, "x")))
        .containsExactly(
            "spec.flinkConfiguration." + key + ": has no effect: " + field + " decides. Remove it");
  }

  @Test
  void withoutTheFieldTheKeyCounts() {
    FlinkDeploymentSpec spec =
        Specs.configured("kubernetes.container.image", "flink:1.20").withImage(null);

    assertThat(Specs.warnings(spec)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution.target",
        "kubernetes.internal.jobmanager.entrypoint.class",
        "execution.shutdown-on-application-finish",
      })
  void keysThatWeDecideAreNamed(String key) {
    assertThat(Specs.warnings(Specs.configured(key, "x")))
        .containsExactly(
            "spec.flinkConfiguration." + key + ": has no effect: Sluice sets it. Remove it");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "execution.state-recovery.claim-mode, CLAIM",
    "execution.state-recovery.claim-mode, claim",
    "execution.state-recovery.claim-mode, LEGACY",
    "execution.savepoint-restore-mode, CLAIM",
    "execution.savepoint-restore-mode, LEGACY",
  })
  void aJobDoesNotOwnWhatItStartsFrom(String key, String mode) {
    assertThat(Specs.warnings(Specs.configured(key, mode)))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": has no effect: Sluice starts jobs with NO_CLAIM, so that the state is kept"
                + " that an abort goes back to. Remove it; delete old savepoints yourself");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"execution.state-recovery.claim-mode", "execution.savepoint-restore-mode"})
  void theClaimModeThatSluiceUsesMayBeSaid(String key) {
    assertThat(Specs.warnings(Specs.configured(key, "NO_CLAIM"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.config.file",
        "rest.bind-address",
        "taskmanager.host",
        "kubernetes.pod-template-file",
        "kubernetes.pod-template-file.taskmanager",
      })
  void keysForFlinksClientAreNamed(String key) {
    assertThat(Specs.warnings(Specs.configured(key, "x")))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": has no effect: only Flink's command-line client reads it. Remove it");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{metadata: {labels: {app: other}}} | .metadata.labels.app",
        "{metadata: {labels: {type: other}}} | .metadata.labels.type",
        "{metadata: {labels: {component: jobmanager}}} | .metadata.labels.component",
        "{spec: {serviceAccountName: other}} | .spec.serviceAccountName",
        "{spec: {hostNetwork: true}} | .spec.hostNetwork",
        "{spec: {containers: [{}, {name: flink-main-container, image: other}]}} |"
            + " .spec.containers[1].image",
        "{spec: {containers: [{name: flink-main-container, command: [a]}]}} |"
            + " .spec.containers[0].command",
        "{spec: {containers: [{name: flink-main-container, args: [a]}]}} |"
            + " .spec.containers[0].args",
        "{spec: {containers: [{name: flink-main-container, resources: {limits: {cpu: 1}}}]}} |"
            + " .spec.containers[0].resources.limits.cpu",
        "{spec: {containers: [{name: flink-main-container, resources: {requests: {memory: 1Gi}}}]}}"
            + " | .spec.containers[0].resources.requests.memory",
      })
  void whatIsOverwrittenInAPodTemplateIsNamed(String template, String path) {
    assertThat(Specs.warnings(Specs.template(template)))
        .singleElement()
        .asString()
        .startsWith("spec.podTemplate" + path + ": has no effect: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{metadata: {labels: {app: orders, type: flink-native-kubernetes}}}",
        "{spec: {containers: [{name: sidecar, image: other, command: [a], args: [b]}]}}",
        "{spec: {containers: [{name: flink-main-container, env: [{name: A, value: b}]}]}}",
      })
  void whatIsKeptIsNot(String template) {
    assertThat(Specs.warnings(Specs.template(template))).isEmpty();
  }

  @Test
  void theTemplateOfARoleMayCarryTheLabelOfThatRole() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJobManager(
            new JobManagerSpec(
                SIZE, null, 1, Specs.yaml("{metadata: {labels: {component: jobmanager}}}")));

    assertThat(Specs.warnings(spec)).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.labels | app:other | app",
        "kubernetes.jobmanager.labels | {type: batch} | type",
        "kubernetes.jobmanager.labels.component | web | component",
        "kubernetes.taskmanager.labels | team:shop,component:jobmanager | component",
        "kubernetes.rest-service.labels | app:other | app",
        "kubernetes.rest-service.labels | app.kubernetes.io/managed-by:helm | app.kubernetes.io/managed-by",
        "kubernetes.internal-service.labels.type | x | type",
      })
  void aLabelThatSelectsTheClusterIsOverwritten(String key, String value, String label) {
    assertThat(Specs.warnings(Specs.configured(key, value)))
        .singleElement()
        .asString()
        .startsWith(
            "spec.flinkConfiguration.%s: %s has no effect: the cluster is".formatted(key, label));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.labels | team:shop,app:orders",
        "kubernetes.taskmanager.labels.component | taskmanager",
        "kubernetes.taskmanager.labels | cannot be read",
      })
  void otherLabelsAndTheSameValuesAreNot(String key, String value) {
    assertThat(Specs.warnings(Specs.configured(key, value))).isEmpty();
  }

  @Test
  void anInvalidSpecHasItsWarningsToo() {
    FlinkDeploymentSpec spec =
        Specs.configured("kubernetes.operator.unknown", "x").withServiceAccount(null);

    assertThat(Specs.warnings(spec)).hasSize(1);
  }

  @Test
  void aCapOfTheDefaultsThatMakesNoSenseIsNamedWithItsKey() {
    String scoped =
        "kubernetes.operator.default-configuration.namespace.shop."
            + "kubernetes.operator.savepoint.history.max.age.threshold";

    assertThat(
            SpecValidation.warnings(
                DefaultConfiguration.of(
                    FlinkConfiguration.of(
                        Map.of(
                            "kubernetes.operator.savepoint.history.max.count.threshold",
                            "0",
                            "kubernetes.operator.savepoint.history.max.age.threshold",
                            "12 h",
                            scoped,
                            "x")))))
        .containsExactly(
            new Warning(
                "kubernetes.operator.savepoint.history.max.count.threshold",
                "is ignored: must be a whole number of at least 1"),
            new Warning(scoped, "is ignored: must be a time above 0, like 24 h"));
  }
}
