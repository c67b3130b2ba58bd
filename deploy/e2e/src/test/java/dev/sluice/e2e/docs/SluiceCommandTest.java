package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.parts.Repository;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * End-to-end tests run {@code ./sluice} with what Maven has built for them, so none of them sees
 * that its own build names a module that is not there.
 */
class SluiceCommandTest {

  private static final Pattern MODULES = Pattern.compile("modules=\\(([^)]*)\\)");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");
  private static final List<String> NOT_ON_A_LAPTOP =
      List.of("workflow-tests", "deploy/testing", "deploy/e2e", "deploy/gates", "deploy/image");

  @Test
  void itsBuildNamesEveryModuleThatTheLaptopClusterNeeds() {
    String command = Documentation.text(Repository.root().resolve("sluice"));
    List<String> built =
        MODULES
            .matcher(command)
            .results()
            .flatMap(it -> Arrays.stream(it.group(1).split(" ")))
            .toList();

    List<String> reactor =
        MODULE
            .matcher(Documentation.text(Repository.root().resolve("pom.xml")))
            .results()
            .map((MatchResult it) -> it.group(1))
            .filter(it -> !NOT_ON_A_LAPTOP.contains(it))
            .toList();
    assertThat(built).containsExactlyInAnyOrderElementsOf(reactor);
  }
}
