package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeps the rights in deploy/operator as small as they are meant to be. */
class OperatorRightsTest {

  private final List<JsonNode> documents = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../operator"))) {
      for (Path file : files.sorted(Comparator.naturalOrder()).toList()) {
        documents.addAll(
            new YAMLMapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(Files.readString(file))
                .readAll());
      }
    }
  }

  @Test
  void neverSayEverything() {
    assertThat(documents.stream().filter(d -> d.has("rules")).map(d -> d.path("rules").toString()))
        .hasSize(4)
        .noneMatch(rules -> rules.contains("*"));
  }

  @Test
  void letNobodyReadSecrets() {
    assertThat(documents.stream().map(d -> d.path("rules").toString()))
        .noneMatch(rules -> rules.contains("secrets"));
  }

  @Test
  void letTheControllerMakeNothingButEventsIngressesAndSnapshots() {
    assertThat(resourcesWith("sluice-controller", "create"))
        .containsExactly("events", "flinkstatesnapshots", "ingresses");
    assertThat(resourcesWith("sluice-controller", "delete"))
        .containsExactly("flinkstatesnapshots", "ingresses");
  }

  /** Their templates are the worker's. */
  @Test
  void letTheControllerChangeTheScaleOfDeploymentsAndNothingElseOfThem() {
    assertThat(resourcesWith("sluice-controller", "update"))
        .containsExactly(
            "deployments/scale",
            "flinkapplications",
            "flinkapplications/finalizers",
            "flinkbluegreendeployments",
            "flinkbluegreendeployments/finalizers",
            "flinkdeployments",
            "flinkdeployments/finalizers",
            "flinksessionjobs",
            "flinksessionjobs/finalizers");
    assertThat(resourcesWith("sluice-controller", "patch")).doesNotContain("deployments");
  }

  @Test
  void letTheWorkerDeleteWhatAFlinkClusterIsMadeOfOldSpecsAndWhatTransitionsMade() {
    assertThat(resourcesWith("sluice-worker", "delete"))
        .containsExactly(
            "configmaps",
            "controllerrevisions",
            "deployments",
            "flinkdeployments",
            "flinksessionjobs",
            "flinkstatesnapshots",
            "ingresses",
            "pods",
            "services");
  }

  @Test
  void letNobodyButTheWorkerMakePartsOfAFlinkCluster() {
    assertThat(resourcesWith("sluice-worker", "create"))
        .containsExactly(
            "configmaps",
            "controllerrevisions",
            "deployments",
            "events",
            "flinkdeployments",
            "flinksessionjobs",
            "flinkstatesnapshots",
            "ingresses",
            "pods",
            "services");
  }

  /** Deployments only: a JobManager's owns that of its TaskManagers. */
  @Test
  void letTheWorkerHoldUpTheDeletionOfDeploymentsAndItsOwnKindsAlone() {
    assertThat(resourcesWith("sluice-worker", "update"))
        .containsExactly(
            "deployments/finalizers",
            "flinkapplications/finalizers",
            "flinkbluegreendeployments/finalizers",
            "flinkdeployments/finalizers");
  }

  @Test
  void keepLeaderElectionInTheOperatorsNamespace() {
    assertThat(documents)
        .filteredOn(d -> d.path("rules").toString().contains("leases"))
        .singleElement()
        .satisfies(
            role -> {
              assertThat(role.path("kind").asText()).isEqualTo("Role");
              assertThat(role.at("/metadata/namespace").asText()).isEqualTo(Operator.NAMESPACE);
            });
  }

  private Set<String> resourcesWith(String role, String verb) {
    Set<String> resources = new TreeSet<>();
    for (JsonNode document : documents) {
      if (document.path("kind").asText().equals("ClusterRole")
          && document.at("/metadata/name").asText().equals(role)) {
        for (JsonNode rule : document.path("rules")) {
          if (rule.path("verbs").toString().contains('"' + verb + '"')) {
            rule.path("resources").forEach(resource -> resources.add(resource.asText()));
          }
        }
      }
    }
    return resources;
  }
}
