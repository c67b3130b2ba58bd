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
import org.junit.jupiter.api.Nested;
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
    throttle.written(saying("a", "1"), saying("a", "minimal"), status("b", "refused"));

    assertThat(throttle.due(saying("a", "minimal"), status("b", "refused"))).isEmpty();
  }

  @Test
  void what_was_refused_is_not_due_again_with_another_time() {
    Map<String, String> refused = status("b", "refused");
    refused.put("time", "10:00:00");
    throttle.written(saying("a", "1"), saying("a", "minimal"), refused);
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

  @Nested
  class While_an_operation_is_at_work {

    @Test
    void a_live_difference_waits_for_the_rest_of_the_interval() {
      writtenInFlight("1");
      clock.forward(Duration.ofSeconds(2));

      assertThat(throttle.due(inFlight("1"), inFlight("2").getData()))
          .contains(Duration.ofSeconds(3));
    }

    @Test
    void a_live_difference_is_due_after_the_interval() {
      writtenInFlight("1");
      clock.forward(Duration.ofSeconds(6));

      assertThat(throttle.due(inFlight("1"), inFlight("2").getData())).contains(Duration.ZERO);
    }

    @Test
    void what_is_written_does_not_make_the_resource_restless() {
      for (int write = 0; write < 9; write++) {
        writtenInFlight("" + write);
      }

      assertThat(throttle.due(saying("a", "1"), status("a", "2"))).contains(Duration.ZERO);
    }

    @Test
    void a_restless_resource_begins_anew() {
      for (int write = 0; write < 9; write++) {
        written("a", "" + write);
      }
      writtenInFlight("1");

      assertThat(throttle.due(saying("a", "1"), status("a", "2"))).contains(Duration.ZERO);
    }

    private void writtenInFlight(String live) {
      throttle.written(inFlight("before"), inFlight(live), inFlight(live).getData());
    }

    private static ConfigMap inFlight(String live) {
      ConfigMap resource = saying("a", live);
      resource.getData().put("flight", "yes");
      return resource;
    }
  }

  @Nested
  class While_no_operation_is_at_work {

    @Test
    void three_changes_are_written_at_once_and_the_fourth_waits() {
      List<Duration> waits = new ArrayList<>();
      for (int change = 1; change <= 4; change++) {
        waits.add(throttle.due(saying("a", "0"), status("a", "" + change)).orElseThrow());
        written("a", "" + change);
      }

      assertThat(waits).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, FIVE);
    }

    @Test
    void what_is_no_longer_different_is_not_written_later() {
      for (int change = 0; change < 4; change++) {
        written("a", "" + change);
      }

      assertThat(throttle.due(saying("a", "3"), status("a", "3"))).isEmpty();
    }

    @Test
    void other_differences_never_make_a_resource_restless() {
      for (int change = 0; change < 9; change++) {
        throttle.written(saying("before", "1"), saying("a", "1"), status("a", "1"));
      }

      assertThat(throttle.due(saying("a", "1"), status("a", "2"))).contains(Duration.ZERO);
    }

    @Test
    void a_resource_that_changes_each_second_is_written_less_and_less_often() {
      List<Long> writes = new ArrayList<>();
      String there = "";
      for (long second = 0; second < 200; second++) {
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

      assertThat(writes).containsExactly(0L, 1L, 2L, 7L, 17L, 37L, 67L, 97L, 127L, 157L, 187L);
    }

    @Test
    void calm_makes_up_for_restlessness() {
      for (int change = 0; change < 20; change++) {
        written("a", "" + change);
      }
      clock.forward(Duration.ofMinutes(2));
      written("a", "20");

      assertThat(throttle.due(saying("a", "20"), status("a", "21"))).contains(Duration.ZERO);
    }
  }

  private void written(String steady, String live) {
    throttle.written(saying(steady, "before"), saying(steady, live), status(steady, live));
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
    public boolean inFlight(Map<String, String> status) {
      return status.containsKey("flight");
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
