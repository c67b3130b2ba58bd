package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  private final List<String> ran = new ArrayList<>();
  private final Main main =
      new Main(
          arguments -> ran.add("controller " + String.join(" ", arguments)),
          arguments -> ran.add("worker " + String.join(" ", arguments)));

  @Test
  void theFirstArgumentChoosesTheProcess() {
    assertThat(main.run("controller")).isZero();
    assertThat(main.run("worker")).isZero();

    assertThat(ran).containsExactly("controller ", "worker ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "operator", "Controller", "controller worker", "worker --port", "worker x"})
  void nothingIsStartedWithOtherArguments(String arguments) {
    assertThat(main.run(arguments.isEmpty() ? new String[0] : arguments.split(" "))).isEqualTo(2);

    assertThat(ran).isEmpty();
  }

  @Test
  void helpIsNoProcess() {
    assertThat(main.run("--help")).isZero();

    assertThat(ran).isEmpty();
  }
}
