package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorLabelRulesTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.labels | app:other | app | orders",
        "kubernetes.jobmanager.labels | component:web | component | jobmanager",
        "kubernetes.jobmanager.labels | type:batch | type | flink-native-kubernetes",
        "kubernetes.jobmanager.labels | app.kubernetes.io/managed-by:helm |"
            + " app.kubernetes.io/managed-by | sluice",
        "kubernetes.jobmanager.labels | {app: other} | app | orders",
        "kubernetes.jobmanager.labels | team:shop,app:other | app | orders",
        "kubernetes.jobmanager.labels | 'app:other' | app | orders",
        "kubernetes.taskmanager.labels | app:other | app | orders",
        "kubernetes.taskmanager.labels | component:jobmanager | component | taskmanager",
        "kubernetes.rest-service.labels | app:other | app | orders",
        "kubernetes.internal-service.labels | type:x | type | flink-native-kubernetes",
      })
  void aMapMustNotChangeALabelThatSelectsTheCluster(
      String key, String value, String label, String ours) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": must not set the label '"
                + label
                + "': the cluster is selected by its value '"
                + ours
                + "'. Remove it, or use another label");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.jobmanager.labels.app",
        "kubernetes.jobmanager.labels.component",
        "kubernetes.jobmanager.labels.type",
        "kubernetes.jobmanager.labels.app.kubernetes.io/managed-by",
        "kubernetes.taskmanager.labels.app",
        "kubernetes.taskmanager.labels.component",
        "kubernetes.rest-service.labels.app",
      })
  void neitherMustAKeyOfItsOwn(String key) {
    assertThat(Specs.paths(Specs.configured(key, "other")))
        .containsExactly("spec.flinkConfiguration." + key);
  }

  @Test
  void nestedConfigurationIsReadAsFlatKeys() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withFlinkConfiguration(
            Specs.yaml("{kubernetes: {jobmanager: {labels: {app: other, team: shop}}}}"));

    assertThat(Specs.paths(spec))
        .containsExactly("spec.flinkConfiguration.kubernetes.jobmanager.labels.app");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.labels | team:shop,tier:gold",
        "kubernetes.jobmanager.labels.team | shop",
        "kubernetes.jobmanager.labels.app | orders",
        "kubernetes.jobmanager.labels | app:orders",
        "kubernetes.taskmanager.labels | component:taskmanager",
        "kubernetes.jobmanager.labels | app.kubernetes.io/name:shop",
      })
  void otherLabelsAndTheSameValuesAreFine(String key, String value) {
    assertThat(Specs.messages(Specs.configured(key, value))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.labels | team | must be key:value pairs",
        "kubernetes.jobmanager.labels | te am:shop | must have keys like",
        "kubernetes.jobmanager.labels | team:sh op | must have values of at most 63",
        "kubernetes.taskmanager.labels.team | -shop- | must have values of at most 63",
        "kubernetes.jobmanager.node-selector | zone:a b | must have values of at most 63",
      })
  void labelsThatKubernetesRefusesAreReported(String key, String value, String message) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": " + message);
  }
}
