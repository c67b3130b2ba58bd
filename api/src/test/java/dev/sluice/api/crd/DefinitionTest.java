package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testing.fuzz.CrdSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the definitions say beside their schemas: names, and what {@code kubectl get} shows. */
class DefinitionTest {

  private static final Path CRDS = Path.of("../deploy/crds");
  private static final String DEPLOYMENTS = "flinkdeployments.flink.apache.org-v1.yml";
  private static final String APPLICATIONS = "../preview/flinkapplications.flink.k8s.io-v1.yml";
  private static final String BLUE_GREEN = "flinkbluegreendeployments.flink.apache.org-v1.yml";

  @ParameterizedTest
  @CsvSource({
    APPLICATIONS + ", flink.k8s.io, FlinkApplication, flinkapp",
    BLUE_GREEN + ", flink.apache.org, FlinkBlueGreenDeployment, flinkbgdep"
  })
  void group_version_names_and_scope_are_those_that_manifests_and_scripts_have(
      String file, String group, String kind, String shortName) {
    JsonNode definition = CrdSchema.yaml(CRDS.resolve(file)).path("spec");

    assertThat(definition.at("/group").asText()).isEqualTo(group);
    assertThat(definition.at("/names/kind").asText()).isEqualTo(kind);
    assertThat(definition.at("/names/shortNames")).hasSize(1);
    assertThat(definition.at("/names/shortNames/0").asText()).isEqualTo(shortName);
    assertThat(definition.at("/scope").asText()).isEqualTo("Namespaced");
    assertThat(definition.at("/versions")).hasSize(1);
    assertThat(definition.at("/versions/0/name").asText()).isEqualTo("v1beta1");
    assertThat(definition.at("/versions/0/subresources").has("status")).isTrue();
  }

  @Test
  void a_deployment_shows_its_job_and_operation_and_more_with_wide() {
    assertThat(columns(DEPLOYMENTS, 0))
        .containsExactly(
            "Job Status .status.jobStatus.state",
            "Lifecycle State .status.lifecycleState",
            "Operation .status.operation.type",
            "Ready .status.conditions[?(@.type==\"Ready\")].status");
    assertThat(columns(DEPLOYMENTS, 1))
        .containsExactly("Operation State .status.operation.state", "Step .status.operation.step");
  }

  @Test
  void an_application_shows_the_columns_of_Lyft_and_more_with_wide() {
    assertThat(columns(APPLICATIONS, 0))
        .containsExactly(
            "Phase .status.phase",
            "Cluster Health .status.clusterStatus.health",
            "Job Health .status.jobStatus.health",
            "Job Restarts .status.jobStatus.jobRestartCount");
    assertThat(columns(APPLICATIONS, 1))
        .contains(
            "Healthy TMs .status.clusterStatus.healthyTaskManagers",
            "Total TMs .status.clusterStatus.numberOfTaskManagers");
  }

  @Test
  void a_blue_green_deployment_shows_the_column_of_Apache_and_which_child_is_live_and_comes() {
    assertThat(columns(BLUE_GREEN, 0))
        .contains(
            "Job Status .status.jobStatus.state",
            "Live .status.live.color",
            "Since .status.live.since",
            "Coming .status.transition.to");
    assertThat(columns(BLUE_GREEN, 1)).contains("State .status.blueGreenState");
  }

  /** The generator sorts by path; brackets only move a column. */
  private static List<String> columns(String file, int priority) {
    return StreamSupport.stream(
            CrdSchema.yaml(CRDS.resolve(file))
                .at("/spec/versions/0/additionalPrinterColumns")
                .spliterator(),
            false)
        .filter(it -> it.path("priority").asInt() == priority)
        .map(
            it ->
                it.path("name").asText()
                    + " "
                    + it.path("jsonPath").asText().replaceAll("\\['(\\w+)'\\]", ".$1"))
        .toList();
  }
}
