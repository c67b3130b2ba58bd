package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Maven cannot run Maven on the same tree, so this looks at what the commands name: phases,
 * modules, tests, properties.
 */
class DocumentedMavenCommandsTest {

  private static final Path ROOT = Repository.root();
  private static final String EVERYTHING = "mvn verify";

  static Stream<DocumentedCommand> maven() {
    return Documentation.commands().stream().filter(command -> command.program().equals("mvn"));
  }

  @Test
  void ciRunsTheTestCommandOfTheReadme() {
    assertThat(Documentation.page("README.md").commands())
        .extracting(DocumentedCommand::text)
        .contains(EVERYTHING);
    assertThat(Documentation.text(ROOT.resolve(".ci/run")).strip().lines())
        .last()
        .asString()
        .matches("exec " + EVERYTHING.replace(" ", "( -[-a-zA-Z]+)* "));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("maven")
  void namesOnlyWhatIsThere(DocumentedCommand command) throws IOException {
    Words words = Words.of(command.text());

    assertThat(words.modules()).allSatisfy(it -> assertThat(ROOT.resolve(it)).isDirectory());
    assertThat(words.tests()).allSatisfy(DocumentedMavenCommandsTest::isATest);
    assertThat(words.properties())
        .allSatisfy(
            it -> assertThat(poms() + ours()).as(it).containsAnyOf("<" + it + ">", '"' + it + '"'));
    assertThat(words.profiles())
        .allSatisfy(it -> assertThat(poms()).contains("<id>" + it + "</id>"));
    assertThat(words.plugins())
        .allSatisfy(it -> assertThat(poms()).contains(it + "-maven-plugin<"));
  }

  /** Where properties are read that no pom has. */
  private static String ours() {
    return Documentation.text(
            ROOT.resolve("deploy/testing/src/main/java/dev/sluice/testing/fuzz/FuzzCases.java"))
        + source("EveryFaultTest")
        + source("EveryTransitionFaultTest")
        + source("EveryApplicationFaultTest")
        + source("RandomWalkTest")
        + source("ResetIT");
  }

  private static void isATest(String name) {
    String[] classAndMethod = name.split("#", 2);
    assertThat(source(classAndMethod[0])).as("the source of " + name).isNotEmpty();
    if (classAndMethod.length == 2) {
      assertThat(source(classAndMethod[0])).contains("void " + classAndMethod[1].replace("*", ""));
    }
  }

  /** The text of a test class; empty when there is none of that name. */
  private static String source(String simpleName) {
    try (Stream<Path> files =
        Files.find(ROOT, 12, (file, attributes) -> file.endsWith(simpleName + ".java"))) {
      return files.map(Documentation::text).collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String poms() throws IOException {
    return Documentation.text(ROOT.resolve("pom.xml"))
        + Documentation.text(ROOT.resolve("deploy/e2e/pom.xml"))
        + Documentation.text(ROOT.resolve("deploy/image/pom.xml"));
  }

  /** A command line of Maven, taken apart. */
  private record Words(List<String> arguments, Map<String, String> defined) {

    private static final List<String> OF_THE_TEST_PLUGINS =
        List.of("skipTests", "surefire.failIfNoSpecifiedTests", "failsafe.failIfNoSpecifiedTests");
    private static final List<String> TESTS = List.of("test", "it.test");
    private static final String NO_TEST = "None";

    static Words of(String command) {
      List<String> arguments = Arrays.asList(command.replace("'", "").split(" "));
      return new Words(
          arguments,
          arguments.stream()
              .filter(it -> it.startsWith("-D"))
              .map(it -> it.substring(2).split("=", 2))
              .collect(Collectors.toMap(it -> it[0], it -> it.length == 2 ? it[1] : "")));
    }

    List<String> modules() {
      int option = arguments.indexOf("-pl");
      return option < 0 ? List.of() : List.of(arguments.get(option + 1).split(","));
    }

    List<String> tests() {
      return TESTS.stream()
          .flatMap(it -> Stream.of(defined.getOrDefault(it, NO_TEST).split(",")))
          .filter(it -> !it.equals(NO_TEST))
          .toList();
    }

    List<String> properties() {
      return defined.keySet().stream()
          .filter(it -> !TESTS.contains(it) && !OF_THE_TEST_PLUGINS.contains(it))
          .toList();
    }

    List<String> profiles() {
      return arguments.stream()
          .filter(it -> it.startsWith("-P"))
          .flatMap(it -> Stream.of(it.substring(2).split(",")))
          .toList();
    }

    List<String> plugins() {
      return arguments.stream()
          .filter(it -> it.matches("[a-z]+:[a-z]+"))
          .map(it -> it.split(":", 2)[0])
          .toList();
    }
  }
}
