package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.support.MovableClock;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * With a ConfigMap as the resource and its data as the status; {@code live} may wait, and {@code
 * flight} says whether an operation is at work.
 */
class StatusThrottleTest {

  private static final Duration FIVE = Duration.ofSeconds(5);

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final StatusThrottle<ConfigMap, Map<String, String>> throttle =
      new StatusThrottle<>(new DataFields(), clock, FIVE);

  @Test
  void the_same_is_never_due() {
    assertThat(throttle.due(saying("a", "1"), status("a", "1"))).isEmpty();
  }

  @Test
  void the_first_difference_is_due_at_once() {
    assertThat(throttle.due(saying("a", "1"), status("a", "2"))).contains(Duration.ZERO);
  }

  @Test
  void any_other_difference_is_due_at_once() {
    written("a", "1");

    assertThat(throttle.due(saying("a", "1"), status("b", "2"))).contains(Duration.ZERO);
  }

  @Test
  void what_could_not_be_written_as_wanted_is_not_due_again() {
    throttle.written(saying("a", "minimal"), status("b", "refused"));

    assertThat(throttle.due(saying("a", "minimal"), status("b", "refused"))).isEmpty();
  }

  @Test
  void what_was_refused_is_not_due_again_with_another_time() {
    Map<String, String> refused = status("b", "refused");
    refused.put("time", "10:00:00");
    throttle.written(saying("a", "minimal"), refused);
    Map<String, String> later = status("b", "refused");
    later.put("time", "10:00:01");

    assertThat(throttle.due(saying("a", "minimal"), later)).isEmpty();
  }

  @Test
  void a_resource_that_is_forgotten_begins_anew() {
    for (int write = 0; write < 9; write++) {
      written("a", "1");
    }
    throttle.forget("uid-1");

    assertThat(throttle.due(saying("a", "1"), status("a", "2"))).contains(Duration.ZERO);
  }

  @Test
  void three_live_changes_are_written_at_once_and_the_fourth_after_the_interval() {
    List<Duration> waits = new ArrayList<>();
    for (int change = 1; change <= 4; change++) {
      waits.add(throttle.due(saying("a", "0"), status("a", "" + change)).orElseThrow());
      written("a", "" + change);
    }
    assertThat(waits).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, FIVE);

    clock.forward(Duration.ofSeconds(3));
    assertThat(throttle.due(saying("a", "4"), status("a", "5"))).contains(Duration.ofSeconds(2));
    clock.forward(Duration.ofSeconds(2));
    assertThat(throttle.due(saying("a", "4"), status("a", "5"))).contains(Duration.ZERO);
  }

  @Test
  void what_is_no_longer_different_is_not_written_later() {
    for (int change = 0; change < 4; change++) {
      written("a", "" + change);
    }

    assertThat(throttle.due(saying("a", "3"), status("a", "3"))).isEmpty();
  }

  @Test
  void any_other_difference_is_written_at_once_whatever_was_before() {
    for (int change = 0; change < 9; change++) {
      written("a", "" + change);
    }

    assertThat(throttle.due(saying("a", "1"), status("b", "1"))).contains(Duration.ZERO);
  }

  @Test
  void a_resource_that_changes_each_second_is_written_three_times_in_an_interval() {
    List<Long> writes = new ArrayList<>();
    String there = "";
    for (long second = 0; second < 15; second++) {
      if (throttle
          .due(saying("a", there), status("a", "" + second))
          .filter(Duration::isZero)
          .isPresent()) {
        there = "" + second;
        written("a", there);
        writes.add(second);
      }
      clock.forward(Duration.ofSeconds(1));
    }

    assertThat(writes).containsExactly(0L, 1L, 2L, 5L, 6L, 7L, 10L, 11L, 12L);
  }

  private void written(String steady, String live) {
    throttle.written(saying(steady, live), status(steady, live));
  }

  private static ConfigMap saying(String steady, String live) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withUid("uid-1")
        .endMetadata()
        .withData(status(steady, live))
        .build();
  }

  private static Map<String, String> status(String steady, String live) {
    return new TreeMap<>(Map.of("steady", steady, "live", live));
  }

  private static final class DataFields
      implements ControllerStatus<ConfigMap, Map<String, String>> {
    @Override
    public Map<String, String> owned(ConfigMap resource) {
      return resource.getData();
    }

    @Override
    public Map<String, String> withoutLive(Map<String, String> status) {
      Map<String, String> steady = new TreeMap<>(status);
      steady.remove("live");
      return steady;
    }

    @Override
    public Map<String, String> withoutTimes(Map<String, String> status) {
      Map<String, String> timeless = new TreeMap<>(status);
      timeless.remove("time");
      return timeless;
    }

    @Override
    public Map<String, String> minimal(
        ConfigMap resource, Map<String, String> refused, String why) {
      return Map.of("steady", why);
    }
  }
}
