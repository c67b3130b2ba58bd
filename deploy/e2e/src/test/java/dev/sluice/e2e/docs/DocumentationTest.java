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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests, modules, properties and profiles that a page names exist. */
class DocumentationTest {

  private static final Path ROOT = Repository.root();
  private static final String LYFT = "docs/compared-with-lyft.md";
  private static final List<String> COMPARISONS = List.of("docs/compared-with-apache.md", LYFT);

  /** A test on a page: {@code SpecDiffTest#theStrongestChangeDecides}. */
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");

  /** The same, or a class alone. */
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT)(?:#\\w+)?)`");

  private static final Pattern ONLY_TESTS = Pattern.compile(TEST + "(, " + TEST + ")*");
  private static final Pattern ROW = Pattern.compile("^\\| *(.*?) *\\|(.*)\\| *([^|]*?) *\\|$");

  /** What a row says that names no test. */
  private static final Pattern REASON =
      Pattern.compile("\\blater\\b|\\bnot (here|there): .{10,}|\\bby design: .{10,}");

  private static final Pattern DEFINED = Pattern.compile("-D([\\w.]+)(?:=(\\S*))?");
  private static final List<String> TESTS = List.of("test", "it.test");
  private static final String NO_TEST = "None";
  private static final List<String> OF_MAVEN =
      List.of("skipTests", "surefire.failIfNoSpecifiedTests", "failsafe.failIfNoSpecifiedTests");

  private static final String PARENT = pom("");
  private static final List<String> MODULES =
      Pattern.compile("<module>(.*)</module>")
          .matcher(PARENT)
          .results()
          .map(it -> it.group(1))
          .toList();

  /** By simple name; two modules may have a class of the same name. */
  private static final Map<String, String> JAVA = sources();

  /** A row of a table, without that of its head. */
  record Row(String page, String feature, String sluice, String tests) {
    @Override
    public String toString() {
      return page + ": " + feature;
    }
  }

  static Stream<Row> rows() {
    return COMPARISONS.stream().flatMap(DocumentationTest::rows);
  }

  private static Stream<Row> rows(String page) {
    List<String> lines = Documentation.text(ROOT.resolve(page)).lines().toList();
    return IntStream.range(0, lines.size() - 1)
        .filter(at -> !lines.get(at).startsWith("|-") && !lines.get(at + 1).startsWith("|-"))
        .mapToObj(at -> ROW.matcher(lines.get(at)))
        .filter(Matcher::matches)
        .map(row -> new Row(page, row.group(1), row.group(2), row.group(3)));
  }

  static Stream<String> tests() {
    return Stream.concat(
            Documentation.pages().values().stream()
                .flatMap(page -> NAMED.matcher(page).results())
                .map(it -> it.group(1)),
            maven().flatMap(DocumentationTest::testsOf))
        .distinct();
  }

  static Stream<String> maven() {
    return Documentation.commands("mvn").stream();
  }

  private static Stream<String> testsOf(String command) {
    return DEFINED
        .matcher(command.replace("'", ""))
        .results()
        .filter(it -> TESTS.contains(it.group(1)) && !it.group(2).equals(NO_TEST))
        .flatMap(it -> Arrays.stream(it.group(2).split(",")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tests")
  void aTestThatIsNamedExists(String test) {
    String[] name = test.split("#", 2);
    assertThat(JAVA).containsKey(name[0]);
    if (name.length == 2) {
      assertThat(JAVA.get(name[0]))
          .containsPattern(
              "(?m)^ +@(?:Parameterized|Arch)?Test\\b(?:(?!\\n\\n)[\\s\\S])*?\\b(?:void %1$s\\(|ArchRule %1$s\\b)"
                  .formatted(name[1].replace("*", "\\w*")));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("maven")
  void modulesPropertiesAndProfilesOfAMavenCommandExist(String command) {
    List<String> modules = listed("-pl ", command);

    assertThat(MODULES).containsAll(modules);
    assertThat(listed("-P", command))
        .allMatch(it -> (profiles(PARENT) + profiles(modules)).contains("<id>" + it + "</id>"));
    assertThat(DEFINED.matcher(command).results().map(it -> it.group(1)))
        .filteredOn(it -> !TESTS.contains(it) && !OF_MAVEN.contains(it))
        .allMatch(DocumentationTest::isRead);
  }

  private static String profiles(List<String> modules) {
    return modules.stream().map(it -> profiles(pom(it))).collect(Collectors.joining());
  }

  private static String profiles(String pom) {
    return pom.contains("<profiles>") ? pom.substring(pom.indexOf("<profiles>")) : "";
  }

  private static List<String> listed(String option, String command) {
    return Pattern.compile(" " + option + "(\\S+)")
        .matcher(command)
        .results()
        .flatMap(it -> Arrays.stream(it.group(1).split(",")))
        .toList();
  }

  private static boolean isRead(String property) {
    return Stream.concat(Stream.of(""), MODULES.stream())
            .map(DocumentationTest::pom)
            .anyMatch(it -> it.contains("<" + property + ">"))
        || JAVA.values().stream().anyMatch(it -> it.contains('"' + property + '"'));
  }

  @Test
  void ciRunsTheTestCommandOfTheReadme() {
    assertThat(Documentation.text(ROOT.resolve("README.md"))).contains("mvn verify");
    assertThat(Documentation.text(ROOT.resolve(".ci/run")).strip().lines())
        .last()
        .asString()
        .matches("exec mvn( -[-a-zA-Z]+)* verify");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aRowOfAComparisonNamesTestsOrSaysWhyThereIsNone(Row row) {
    if (row.tests().isEmpty()) {
      assertThat(row.sluice())
          .as("later, 'not here: why' or 'by design: why'")
          .containsPattern(REASON);
    } else {
      assertThat(row.tests()).as("tests and nothing else").matches(ONLY_TESTS);
    }
  }

  /** W1 to W24: each is a known weakness of Lyft's operator. */
  @Test
  void eachWeaknessOfLyftsOperatorHasARow() {
    assertThat(rows(LYFT).map(Row::feature).filter(it -> it.matches("W\\d+: .+")))
        .extracting(it -> it.split(":", 2)[0])
        .isEqualTo(IntStream.rangeClosed(1, 24).mapToObj(number -> "W" + number).toList());
  }

  private static String pom(String module) {
    return Documentation.text(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static Map<String, String> sources() {
    return MODULES.stream()
        .map(module -> ROOT.resolve(module).resolve("src"))
        .filter(Files::isDirectory)
        .flatMap(DocumentationTest::java)
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString().replace(".java", ""),
                Documentation::text,
                String::concat));
  }

  private static Stream<Path> java(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(it -> it.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
