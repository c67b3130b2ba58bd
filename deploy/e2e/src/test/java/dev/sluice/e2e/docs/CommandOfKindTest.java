package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.parts.Repository;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link NotRunHere} leaves to the tests of a kind is run there. */
class CommandOfKindTest {

  static Stream<DocumentedCommand> commands() {
    return Documentation.commands().stream()
        .filter(
            it -> NotRunHere.BLUE_GREEN.matches(it) || NotRunHere.FLINK_APPLICATION.matches(it));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("commands")
  void eachCommandAboutTheseKindsIsListed(DocumentedCommand command) {
    assertThat(Arrays.stream(CommandOfKind.values()).map(CommandOfKind::text))
        .contains(command.text());
  }

  @ParameterizedTest
  @EnumSource(CommandOfKind.class)
  void eachThatIsListedIsOnAPageAndRunByTheTestThatItNames(CommandOfKind command) {
    assertThat(commands().map(DocumentedCommand::text)).contains(command.text());
    assertThat(
            Documentation.text(
                Repository.root()
                    .resolve(
                        "deploy/e2e/src/test/java/dev/sluice/e2e/" + command.test() + ".java")))
        .containsPattern("CommandOfKind\\." + command.name() + "\\s*\\.(run|tried)\\(");
  }
}
