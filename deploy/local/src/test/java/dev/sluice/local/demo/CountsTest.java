package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;

class CountsTest {

  private static final Counts BEFORE = new Counts(500, 0, 0, 0, 10, 499);

  @Test
  void sumsTheSubtasksAndTakesTheHighestSequence() {
    JsonNode metrics = metrics(subtask(0, 60, 40, 1, 0, 4, 102), subtask(1, 43, 30, 0, 2, 6, 99));

    assertThat(Counts.of(2, metrics)).contains(new Counts(103, 70, 1, 2, 10, 102));
  }

  @Test
  void saysNothingUntilEverySubtaskHasReported() {
    JsonNode metrics = metrics(subtask(1, 43, 30, 0, 2, 6, 99));

    assertThat(Counts.of(2, metrics)).isEmpty();
  }

  @Test
  void saysNothingUntilEveryGaugeOfASubtaskIsThere() {
    ArrayNode metrics = metrics(subtask(0, 43, 30, 0, 2, 6, 99));
    metrics.remove(3);

    assertThat(Counts.of(1, metrics)).isEmpty();
  }

  @Test
  void aSubtaskWithoutKeysCountsAsNothing() {
    JsonNode metrics = metrics(subtask(0, 60, 40, 0, 0, 10, 59), subtask(1, 0, 0, 0, 0, 0, -1));

    assertThat(Counts.of(2, metrics)).contains(new Counts(60, 40, 0, 0, 10, 59));
  }

  @Test
  void countsAreExactOnlyWithNothingLostAndNothingDoubled() {
    assertThat(new Counts(9, 0, 0, 0, 3, 8).exact()).isTrue();
    assertThat(new Counts(9, 0, 1, 0, 3, 8).exact()).isFalse();
    assertThat(new Counts(9, 0, 0, 1, 3, 8).exact()).isFalse();
  }

  @Test
  void goingOnFromAtLeastWhatWasCountedIsRight() {
    assertThat(new Counts(900, 620, 0, 0, 10, 899).problemSince(BEFORE)).isEmpty();
  }

  @Test
  void lostElementsAreAProblem() {
    assertThat(new Counts(900, 620, 3, 0, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("3 elements lost"));
  }

  @Test
  void doubledElementsAreAProblem() {
    assertThat(new Counts(900, 620, 0, 2, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("2 counted twice"));
  }

  @Test
  void startingFromLessThanWasCountedIsAProblem() {
    assertThat(new Counts(900, 0, 0, 0, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("state of 0 elements"));
  }

  private static ArrayNode subtask(
      int subtask, long total, long restored, long lost, long doubled, long keys, long last) {
    ArrayNode metrics = JsonNodeFactory.instance.arrayNode();
    add(metrics, subtask, "total", total);
    add(metrics, subtask, "restored", restored);
    add(metrics, subtask, "lost", lost);
    add(metrics, subtask, "doubled", doubled);
    add(metrics, subtask, "keys", keys);
    add(metrics, subtask, "lastSequence", last);
    return metrics;
  }

  private static void add(ArrayNode metrics, int subtask, String gauge, long value) {
    metrics.addObject().put("id", subtask + ".counter." + gauge).put("value", Long.toString(value));
  }

  private static ArrayNode metrics(ArrayNode... subtasks) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (ArrayNode subtask : subtasks) {
      all.addAll(subtask);
    }
    return all;
  }
}
