package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.rescale.RescaleNote.Noted;
import dev.sluice.activities.resource.Parallelism;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaledRequirementsTest {

  private static ScaledRequirements scaled(Noted vertex, Parallelism from, Parallelism to) {
    return ScaledRequirements.of(new RescaleNote("ab", 1, Map.of("a", vertex)), from, to);
  }

  private static Parallelism of(int job) {
    return new Parallelism(job, Map.of(), null);
  }

  private static Parallelism overriding(int job, int a) {
    return new Parallelism(job, Map.of("a", a), null);
  }

  @ParameterizedTest(name = "{0} to {1} of {2}, spec {3} -> {4}: {5} to {6}")
  @CsvSource({
    // follows the spec; the lower bound stays, unless it is more
    "1, 1, 128, 1, 3, 1, 3",
    "1, 3, 128, 3, 2, 1, 2",
    "3, 3, 128, 3, 2, 2, 2",
    // the spec does not say
    "1, 2, 128, 2, 0, 1, 2",
    // Flink does not tell the limit
    "1, 1, -1, 1, 3, 1, 3",
  })
  void aVertexFollowsTheSpecIfItDidBefore(
      int lower, int upper, int max, int from, int to, int newLower, int newUpper) {
    ScaledRequirements scaled = scaled(new Noted(lower, upper, max), of(from), of(to));

    assertThat(scaled.problem()).isEmpty();
    assertThat(scaled.requirements())
        .isEqualTo(new ResourceRequirements(Map.of("a", new Bounds(newLower, newUpper))));
  }

  @ParameterizedTest(name = "one of {0}, at most {1}, stays at {0}")
  @CsvSource({
    // the code of the job says something else
    "4, 128",
    // it cannot be parallel
    "1, 1",
  })
  void aVertexThatDidNotFollowStays(int upper, int max) {
    RescaleNote before =
        new RescaleNote("ab", 1, Map.of("a", new Noted(1, upper, max), "b", new Noted(1, 1, 128)));
    ScaledRequirements scaled = ScaledRequirements.of(before, of(1), of(3));

    assertThat(scaled.problem()).isEmpty();
    assertThat(scaled.requirements().vertices())
        .containsEntry("a", new Bounds(1, upper))
        .containsEntry("b", new Bounds(1, 3));
  }

  @ParameterizedTest(name = "it runs with {0}, spec {1} -> {2}")
  @CsvSource({
    // its JobManager has read an older configuration, or somebody has changed it in Flink
    "1, 128, 3, 4",
    // nothing in it can be parallel
    "1, 1, 1, 3",
  })
  void aChangeThatNoVertexFollowsIsAProblem(int upper, int max, int from, int to) {
    assertThat(scaled(new Noted(1, upper, max), of(from), of(to)).problem())
        .contains("no vertex of the job runs with the parallelism of the old spec, " + from);
  }

  @Test
  void aChangeThatEveryVertexOverridesNeedsNoneThatFollows() {
    Noted vertex = new Noted(1, 5, 128);

    assertThat(scaled(vertex, overriding(2, 5), overriding(3, 6)).problem()).isEmpty();
  }

  @Test
  void anOverrideWins() {
    Noted vertex = new Noted(1, 2, 128);

    assertThat(scaled(vertex, of(2), overriding(2, 5)).requirements().vertices())
        .containsEntry("a", new Bounds(1, 5));
    assertThat(scaled(vertex, of(2), overriding(3, 0)).requirements().vertices())
        .as("Flink knows no vertex without a subtask")
        .containsEntry("a", new Bounds(1, 1));
  }

  @Test
  void anOverrideThatIsTakenAwayIsAProblem() {
    assertThat(scaled(new Noted(1, 5, 128), overriding(2, 5), of(2)).problem())
        .contains("vertex a has no override any more, and its own number is not known");
  }

  @Test
  void moreThanAVertexCanEverHaveIsAProblem() {
    assertThat(scaled(new Noted(1, 2, 4), of(2), of(5)).againstState())
        .contains("vertex a can have 4 subtasks at most, not 5");
  }

  @ParameterizedTest(name = "{0} -> {1}, of the vertex {2}: {3}")
  @CsvSource({
    "128, 256, 128, true",
    "256, 128, 256, true",
    // the code of the job says something else
    "128, 256, 64, false",
    // Flink had chosen it, or is to
    ", 256, 128, false",
    "128, , 128, false",
    "128, 128, 128, false",
  })
  void theStateKeepsTheMaximumThatWasSet(
      @Nullable Integer from, @Nullable Integer to, int ofVertex, boolean against) {
    ScaledRequirements scaled =
        scaled(
            new Noted(1, 2, ofVertex),
            new Parallelism(2, Map.of(), null, from),
            new Parallelism(3, Map.of(), null, to));

    assertThat(scaled.againstState().isPresent()).isEqualTo(against);
  }

  @Test
  void anOverrideOfMoreThanAVertexCanEverHaveIsAProblem() {
    assertThat(scaled(new Noted(1, 2, 4), of(2), overriding(2, 5)).againstState())
        .contains("vertex a can have 4 subtasks at most, not 5");
  }

  @Test
  void fewerTaskManagersAreAProblem() {
    Noted vertex = new Noted(1, 2, 128);
    Parallelism two = new Parallelism(2, Map.of(), 2);
    Parallelism one = new Parallelism(1, Map.of(), 1);

    assertThat(scaled(vertex, two, one).problem())
        .contains(
            "1 TaskManagers in place of 2: Kubernetes does not know which of them run the job");
    assertThat(scaled(vertex, two, new Parallelism(3, Map.of(), 2)).problem()).isEmpty();
    assertThat(scaled(vertex, of(2), of(1)).problem()).as("Flink makes them").isEmpty();
  }

  @Test
  void anOverrideOfNoVertexIsAProblem() {
    Parallelism unknown = new Parallelism(2, Map.of("b", 3), null);

    assertThat(scaled(new Noted(1, 2, 4), of(2), unknown).problem())
        .contains("the job has no vertex b");
  }
}
