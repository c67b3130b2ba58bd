package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgramTest {

  @Test
  void isReadFromALineForEachPod() {
    assertThat(Program.parse("controller 127.0.1.2\nworker 127.0.1.3\n"))
        .containsExactly(
            new Program("controller", "http://127.0.1.2:8080/readyz"),
            new Program("worker", "http://127.0.1.3:8080/readyz"));
  }

  @Test
  void isNotReadyWhileItsPodHasNoAddress() {
    assertThat(Program.parse("worker \n"))
        .singleElement()
        .satisfies(worker -> assertThat(worker.problem()).hasValue("its pod has not started"));
  }

  @Test
  void isNotReadyWhileNothingAnswers() {
    assertThat(new Program("worker", "http://127.0.0.1:1/readyz").problem())
        .hasValueSatisfying(problem -> assertThat(problem).startsWith("http://127.0.0.1:1/readyz"));
  }

  @Test
  void isNoneWhereThereIsNoPod() {
    assertThat(Program.parse("")).isEmpty();
  }
}
