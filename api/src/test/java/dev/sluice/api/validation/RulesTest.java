package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of {@code rules/}: what is given => what is said of it. */
class RulesTest {
  private static final Path RULES = Path.of("src/test/resources/rules");
  private static final FlinkSessionJobSpec JOB =
      new FlinkSessionJobSpec(
          "session",
          Specs.JOB
              .withJarURI("https://example.com/job.jar")
              .withUpgradeMode(UpgradeMode.SAVEPOINT),
          null,
          null);
  private static final String CLUSTER =
      "{conf: {state.checkpoints.dir: c, state.savepoints.dir: s}}";

  static Stream<String> deployments() throws IOException {
    return Files.readAllLines(RULES.resolve("flinkdeployment.txt")).stream()
        .filter(it -> it.startsWith("{"));
  }

  static Stream<String> sessionJobs() throws IOException {
    return Files.readAllLines(RULES.resolve("flinksessionjob.txt")).stream()
        .filter(it -> it.startsWith("{"));
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void aFlinkDeploymentIsAnswered(String row) {
    check(row, RulesTest::deployment);
  }

  @ParameterizedTest
  @MethodSource("sessionJobs")
  void aFlinkSessionJobIsAnswered(String row) {
    check(row, RulesTest::sessionJob);
  }

  private static void check(String row, Function<ObjectNode, List<String>> answer) {
    String[] givenAndExpected = row.split(" => ", 2);
    String said = givenAndExpected[1];
    List<String> expected = said.equals("ok") ? List.of() : List.of(said.split(" && "));

    List<String> answers = answer.apply((ObjectNode) Specs.yaml(givenAndExpected[0]));

    assertThat(answers)
        .hasSameSizeAs(expected)
        .zipSatisfy(expected, (text, start) -> assertThat(text).startsWith(start));
  }

  private static List<String> deployment(ObjectNode given) {
    JsonNode deployed = given.remove("deployed");
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(metadata(given));
    resource.setSpec(spec(Specs.VALID, given));
    FrozenSpec last =
        deployed == null ? null : new FrozenSpec(spec(Specs.VALID, deployed), 1, true);
    return joined(
        SpecValidation.validate(resource, last, DefaultConfiguration.NONE),
        SpecValidation.warnings(resource));
  }

  private static List<String> sessionJob(ObjectNode given) {
    JsonNode deployed = given.remove("deployed");
    boolean isMissing = given.path("cluster").isNull();
    JsonNode cluster = given.remove("cluster");
    FlinkSessionJob resource = new FlinkSessionJob();
    resource.setMetadata(metadata(given));
    resource.setSpec(spec(JOB, given));
    FrozenSessionJob last =
        deployed == null ? null : new FrozenSessionJob(spec(JOB, deployed), 1, true);
    SessionCluster on =
        isMissing
            ? SessionCluster.MISSING
            : SessionCluster.of(
                spec(Specs.VALID.withJob(null), cluster == null ? Specs.yaml(CLUSTER) : cluster));
    return joined(
        SessionJobValidation.validate(resource, last, on),
        SessionJobValidation.warnings(resource, on));
  }

  private static List<String> joined(List<Violation> violations, List<Warning> warnings) {
    return Stream.concat(violations.stream(), warnings.stream()).map(Object::toString).toList();
  }

  private static ObjectMeta metadata(ObjectNode given) {
    ObjectMeta metadata = Specs.resource(Specs.VALID).getMetadata();
    JsonNode name = given.remove("name");
    if (name != null) {
      metadata.setName(name.asText());
    }
    JsonNode annotations = given.remove("annotations");
    if (annotations != null) {
      annotations
          .properties()
          .forEach(it -> metadata.getAnnotations().put(it.getKey(), it.getValue().asText()));
    }
    return metadata;
  }

  /** The valid spec with that change. */
  private static <T> T spec(T valid, @Nullable JsonNode change) {
    ObjectNode spec = Serialization.jsonMapper().valueToTree(valid);
    if (change instanceof ObjectNode object) {
      JsonNode configuration = object.remove("conf");
      merge(spec, configuration == null ? object : object.set("flinkConfiguration", configuration));
    }
    return Serialization.jsonMapper().convertValue(spec, (Class<T>) valid.getClass());
  }

  private static void merge(ObjectNode target, JsonNode change) {
    change
        .properties()
        .forEach(
            it -> {
              if (it.getValue() instanceof ObjectNode object
                  && target.get(it.getKey()) instanceof ObjectNode there) {
                merge(there, object);
              } else {
                target.set(it.getKey(), it.getValue());
              }
            });
  }
}
