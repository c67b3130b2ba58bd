package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the rights that the chart gives as small as they are meant to be. */
class OperatorRightsTest {

  private static final Predicate<String> IS_OF_OUR_KINDS = it -> it.startsWith("flink");

  private final List<JsonNode> documents = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    documents.addAll(
        new YAMLMapper()
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(Files.readString(Path.of("../helm/rendered/laptop.yaml")))
            .readAll());
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

  /** The templates of Deployments are the worker's; the controller changes their scale only. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          controller | create | events flinkstatesnapshots ingresses
          controller | delete | flinkstatesnapshots ingresses
          controller | update | deployments/scale
          worker | create | configmaps controllerrevisions deployments events flinkdeployments \
          flinksessionjobs flinkstatesnapshots ingresses pods services
          worker | delete | configmaps controllerrevisions deployments flinkdeployments \
          flinksessionjobs flinkstatesnapshots ingresses pods services
          worker | update | deployments/finalizers
          """)
  void areTheseOnly(String program, String verb, String resources) {
    Set<String> given = resourcesWith("sluice-" + program, verb);
    if (verb.equals("update")) {
      given.removeIf(IS_OF_OUR_KINDS); // see below
    }

    assertThat(given).containsExactly(resources.split(" "));
  }

  /**
   * What it makes for a resource of ours has that as its owner; the controller keeps finalizers.
   */
  @Test
  void letTheWorkerUpdateOnlyFinalizersOfOurKinds() {
    assertThat(resourcesWith("sluice-worker", "update"))
        .filteredOn(IS_OF_OUR_KINDS)
        .isNotEmpty()
        .allMatch(it -> it.endsWith("/finalizers"));
  }

  @Test
  void doNotLetTheControllerPatchDeployments() {
    assertThat(resourcesWith("sluice-controller", "patch")).doesNotContain("deployments");
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
