package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.activities.manifest.common.FlatObject;
import dev.sluice.api.common.FlinkVersion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our objects against those of Flink's own Kubernetes client, for every golden case of a version
 * whose option names this client knows. Each difference has its reason in {@link Explained}.
 */
class FlinkClientOracleTest {
  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("cases")
  void makesWhatFlinksClientMakesBarExplainedDifferences(GoldenCase golden) throws IOException {
    List<Difference> unexplained =
        differences(golden).stream()
            .filter(difference -> Explained.of(difference).isEmpty())
            .toList();

    assertThat(unexplained).isEmpty();
  }

  @Test
  void everyExplanationIsNeeded() throws IOException {
    TreeSet<Explained> used = new TreeSet<>();
    for (GoldenCase golden : cases()) {
      differences(golden).forEach(difference -> Explained.of(difference).ifPresent(used::add));
    }

    assertThat(used).containsExactly(Explained.values());
  }

  static List<GoldenCase> cases() {
    return GoldenCase.all().stream()
        .filter(golden -> golden.target().flinkVersion().isAtLeast(FlinkVersion.V1_20))
        .filter(golden -> !golden.target().isStandalone())
        .toList();
  }

  private List<Difference> differences(GoldenCase golden) throws IOException {
    Path files = Files.createTempDirectory(folder, "oracle");
    Map<String, JsonNode> theirs = new FlinkClientOracle(files).objects(golden.target());
    Map<String, JsonNode> ours = ours(golden.target());
    assertThat(ours.keySet()).isEqualTo(theirs.keySet());
    List<Difference> differences = new ArrayList<>();
    ours.forEach(
        (name, object) ->
            differences.addAll(
                Difference.between(name, FlatObject.of(theirs.get(name)), FlatObject.of(object))));
    return differences;
  }

  private static Map<String, JsonNode> ours(ClusterTarget target) {
    KubernetesSerialization serialization = new KubernetesSerialization();
    SortedMap<String, JsonNode> objects = new TreeMap<>();
    new ApplicationManifests()
        .render(target)
        .all()
        .forEach(
            object ->
                objects.put(
                    object.getKind() + "/" + object.getMetadata().getName(),
                    serialization.convertValue(object, JsonNode.class)));
    return objects;
  }
}
