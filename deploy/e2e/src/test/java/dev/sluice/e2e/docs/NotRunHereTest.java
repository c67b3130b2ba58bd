package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NotRunHereTest {

  @ParameterizedTest
  @EnumSource(NotRunHere.class)
  void everyExceptionIsStillNeeded(NotRunHere exception) {
    assertThat(Documentation.commands()).anyMatch(exception::matches);
  }
}
