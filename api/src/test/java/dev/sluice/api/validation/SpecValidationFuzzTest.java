package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import dev.sluice.testing.fuzz.FuzzCase;
import dev.sluice.testing.fuzz.FuzzRun;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of specs with wild values: whatever people write, they get an answer that they can
 * read. How to run one case or more of them: {@link dev.sluice.testing.fuzz.FuzzCases}.
 */
class SpecValidationFuzzTest {
  private static final Path REPOSITORY = Path.of("..");
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(REPOSITORY);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern UNREADABLE =
      Pattern.compile("\\bnull\\b|Exception|\\bat [a-z]+\\.[a-z]+\\.|@[0-9a-f]{6}|\\p{Cntrl}");

  @Test
  void everySpecGetsAReadableAnswer() {
    forEach(
        fuzz ->
            read(fuzz)
                .ifPresent(
                    resource -> {
                      assertReadable(
                          SpecValidation.validate(resource, null, DefaultConfiguration.NONE));
                      assertReadable(
                          SpecValidation.validate(
                              resource, original(fuzz), DefaultConfiguration.NONE));
                      SpecValidation.warnings(resource)
                          .forEach(it -> assertReadable(it.toString()));
                    }));
  }

  @Test
  void whatCannotBeReadIsRefusedByTheSchema() {
    forEach(
        fuzz -> {
          if (read(fuzz).isEmpty()) {
            assertThat(SCHEMA.violations(fuzz.mutated())).isNotEmpty();
          }
        });
  }

  @Test
  void whatIsAcceptedSurvivesBeingFrozen() {
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger all = new AtomicInteger();
    forEach(
        fuzz -> {
          all.incrementAndGet();
          FlinkDeployment resource = read(fuzz).orElse(null);
          if (resource != null
              && SCHEMA.violations(tree(resource)).isEmpty()
              && SpecValidation.validate(resource, null, DefaultConfiguration.NONE).isEmpty()) {
            accepted.incrementAndGet();
            FrozenSpec frozen =
                FrozenSpec.parse(new FrozenSpec(resource.getSpec(), 1, true).toJson());
            assertThat(SpecDiff.between(frozen.spec(), resource.getSpec()).changes()).isEmpty();
          }
        });

    assertThat(accepted.get()).as("cases that are accepted").isGreaterThan(all.get() / 20);
    assertThat(accepted.get()).as("cases that are accepted").isLessThan(all.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 999})
  void theSameSeedGivesTheSameCases(int number) {
    FuzzCase once = FlinkDeployments.cases(REPOSITORY).skip(number).findFirst().orElseThrow();
    FuzzCase again = FlinkDeployments.cases(REPOSITORY).skip(number).findFirst().orElseThrow();

    assertThat(again).isEqualTo(once);
  }

  private static void forEach(Consumer<FuzzCase> check) {
    FuzzRun.forEach(FlinkDeployments.cases(REPOSITORY), check);
  }

  private static Optional<FlinkDeployment> read(FuzzCase fuzz) {
    try {
      return Optional.of(
          Serialization.jsonMapper().treeToValue(fuzz.mutated(), FlinkDeployment.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static FrozenSpec original(FuzzCase fuzz) {
    String original = fuzz.original().toString();
    return new FrozenSpec(
        Serialization.unmarshal(original, FlinkDeployment.class).getSpec(), 1, true);
  }

  private static void assertReadable(List<Violation> violations) {
    violations.forEach(
        violation -> {
          assertThat(violation.path()).matches("(spec|metadata)(\\..*)?");
          assertThat(violation.message()).isNotBlank();
          assertReadable(violation.toString());
        });
    assertThatCode(() -> JSON.writeValueAsBytes(violations)).doesNotThrowAnyException();
  }

  private static void assertReadable(String text) {
    assertThat(text).hasSizeLessThan(1000).doesNotContainPattern(UNREADABLE);
  }

  private static JsonNode tree(FlinkDeployment resource) {
    return Serialization.jsonMapper().valueToTree(resource);
  }
}
