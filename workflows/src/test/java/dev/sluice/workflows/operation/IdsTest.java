package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdsTest {

  @Test
  void idsForFlinkAre32HexDigitsAndDifferByRunPurposeAndCount() {
    assertThat(Ids.derive("run", "job", 1))
        .matches("[0-9a-f]{32}")
        .isEqualTo(Ids.derive("run", "job", 1))
        .isNotEqualTo(Ids.derive("run", "job", 2))
        .isNotEqualTo(Ids.derive("run", "stop", 1))
        .isNotEqualTo(Ids.derive("other", "job", 1));
  }

  @Test
  void whatReplacesSomethingNeverHasItsId() {
    String first = Ids.after("run", "job", null);
    String second = Ids.after("run", "job", first);

    assertThat(second).isNotEqualTo(first).isEqualTo(Ids.after("run", "job", first));
    assertThat(Ids.after("run", "job", second)).isNotIn(first, second);
  }
}
