package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.support.MovableClock;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** With a ConfigMap as the resource and its data as the status; {@code live} may wait. */
class StatusThrottleTest {

  private static final Duration FIVE = Duration.ofSeconds(5);

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final StatusThrottle<ConfigMap, Map<String, String>> throttle =
      new StatusThrottle<>(new DataFields(), clock);

  @Test
  void the_same_is_never_due() {
    assertThat(throttle.due(saying("a", "1"), status("a", "1"), FIVE)).isEmpty();
  }

  @Test
  void the_first_difference_is_due_at_once() {
    assertThat(throttle.due(saying("a", "1"), status("a", "2"), FIVE)).contains(Duration.ZERO);
  }

  @Test
  void a_live_difference_waits_for_the_rest_of_the_interval() {
    written("a", "1");
    clock.forward(Duration.ofSeconds(2));

    assertThat(throttle.due(saying("a", "1"), status("a", "2"), FIVE))
        .contains(Duration.ofSeconds(3));
  }

  @Test
  void a_live_difference_is_due_after_the_interval() {
    written("a", "1");
    clock.forward(Duration.ofSeconds(6));

    assertThat(throttle.due(saying("a", "1"), status("a", "2"), FIVE)).contains(Duration.ZERO);
  }

  @Test
  void a_live_difference_does_not_wait_without_an_interval() {
    written("a", "1");

    assertThat(throttle.due(saying("a", "1"), status("a", "2"), Duration.ZERO))
        .contains(Duration.ZERO);
  }

  @Test
  void any_other_difference_is_due_at_once() {
    written("a", "1");

    assertThat(throttle.due(saying("a", "1"), status("b", "2"), FIVE)).contains(Duration.ZERO);
  }

  @Test
  void what_could_not_be_written_as_wanted_is_not_due_again() {
    throttle.written(saying("a", "minimal"), status("b", "refused"));

    assertThat(throttle.due(saying("a", "minimal"), status("b", "refused"), FIVE)).isEmpty();
  }

  @Test
  void a_resource_that_is_forgotten_begins_anew() {
    written("a", "1");
    throttle.forget(saying("a", "1"));

    assertThat(throttle.due(saying("a", "1"), status("a", "2"), FIVE)).contains(Duration.ZERO);
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
    public Map<String, String> minimal(
        ConfigMap resource, Map<String, String> refused, String why) {
      return Map.of("steady", why);
    }
  }
}
