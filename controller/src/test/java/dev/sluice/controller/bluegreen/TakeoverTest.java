package dev.sluice.controller.bluegreen;

import static dev.sluice.api.bluegreen.BlueGreenState.TRANSITIONING_TO_BLUE;
import static dev.sluice.api.bluegreen.BlueGreenState.TRANSITIONING_TO_GREEN;
import static dev.sluice.controller.bluegreen.BlueGreenScene.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.bluegreen.Color;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which child is live where Apache's operator was stopped in the middle. */
class TakeoverTest {

  /** It calls a first deployment, and a change in place, a transition to that very child. */
  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("stopped")
  void what_Apaches_operator_was_doing_the_children_tell(
      String name, BlueGreenScene given, String live) {
    BlueGreenScene stopped = given.status(it -> it.withLive(null));

    assertThat(stopped.seen().live().map(Color::wire).orElse("")).isEqualTo(live);
  }

  static Stream<Arguments> stopped() {
    return Stream.of(
        arguments("a first deployment", running().apache(TRANSITIONING_TO_BLUE), "blue"),
        arguments(
            "a change of blue, and green was given up before",
            running().stopped(Color.GREEN).apache(TRANSITIONING_TO_BLUE),
            "blue"),
        arguments(
            "a transition to blue",
            running().ready(Color.GREEN).apache(TRANSITIONING_TO_BLUE),
            "green"),
        arguments(
            "a transition to green",
            running().ready(Color.GREEN).apache(TRANSITIONING_TO_GREEN),
            "blue"),
        arguments(
            "a change of green",
            running().without(Color.BLUE).ready(Color.GREEN).apache(TRANSITIONING_TO_GREEN),
            "green"),
        arguments(
            "a transition to green, which is not made yet",
            running().apache(TRANSITIONING_TO_GREEN),
            "blue"));
  }
}
