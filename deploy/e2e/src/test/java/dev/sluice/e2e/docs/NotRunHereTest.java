package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotRunHereTest {

  @ParameterizedTest
  @EnumSource(NotRunHere.class)
  void everyExceptionIsStillNeeded(NotRunHere exception) {
    assertThat(Documentation.commands()).anyMatch(exception::matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl get flinkapp",
        "kubectl get flinkapp words",
        "kubectl get flinkapplications -A",
        "kubectl get flinkbgdep",
        "kubectl wait flinkbgdep orders --for=condition=Ready"
      })
  void noCommandIsTriedOnAKindOfWhichThereIsNoResource(String text) {
    DocumentedCommand command = new DocumentedCommand("docs/page.md", text);

    assertThat(NotRunHere.values()).anyMatch(exception -> exception.matches(command));
  }

  /** {@code kubectl get} on a page is the name of a command: nothing can be typed as it stands. */
  @Test
  void noCommandIsTriedThatIsOnlyNamed() {
    assertThat(Documentation.commands())
        .filteredOn(command -> command.text().matches("(kubectl|helm|temporal)( [a-z]+)?"))
        .allSatisfy(
            command ->
                assertThat(NotRunHere.values()).anyMatch(exception -> exception.matches(command)));
  }
}
