package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gates.Quarantine.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Every test in quarantine is in docs/quarantine.md, and only few are. */
class QuarantineTest {
  private static final String TEST = "dev.sluice.e2e.DeployIT#itStarts";
  private static final String ROW =
      "| `%s` | 2026-11-20, 4541ec2a | state never READY | lease lost | the lease is 5 s | `LeaseTest` | 2026-12-04 |";
  private static final Map<String, String> TAGGED = Map.of(TEST, "DeployIT.java:3");

  @Test
  void tableAndTagsAgree() throws IOException {
    List<Row> rows =
        Quarantine.rows(Files.readString(Sources.REPOSITORY.resolve("docs/quarantine.md")));

    assertThat(Quarantine.violations(rows, Quarantine.tagged(Sources.ofTests()))).isEmpty();
    // a warning only: a build that was green yesterday is not red because a day went by
    Quarantine.overdue(rows, LocalDate.now())
        .forEach(LoggerFactory.getLogger(QuarantineTest.class)::warn);
  }

  @Test
  void completeRowOfTaggedTest_isAccepted() {
    assertThat(Quarantine.violations(page(ROW.formatted(TEST)), TAGGED)).isEmpty();
  }

  @Test
  void none_isNoRow() {
    assertThat(page("| none | | | | | | |")).isEmpty();
  }

  @Test
  void rowWithoutTag_isFound() {
    assertThat(Quarantine.violations(page(ROW.formatted(TEST)), Map.of()))
        .containsExactly(TEST + ": no such test has @Tag(\"quarantine\")");
  }

  @Test
  void tagWithoutRow_isFound() {
    assertThat(Quarantine.violations(page("| none | | | | | | |"), TAGGED))
        .containsExactly(TEST + ": no row in docs/quarantine.md, but a tag at DeployIT.java:3");
  }

  @Test
  void sixRows_areTooMany() {
    List<String> rows = new ArrayList<>();
    Map<String, String> tagged = new HashMap<>();
    for (int test = 0; test <= Quarantine.MOST_ROWS; test++) {
      rows.add(ROW.formatted(TEST + test));
      tagged.put(TEST + test, "");
    }

    assertThat(Quarantine.violations(page(String.join("\n", rows)), tagged))
        .containsExactly("6 rows, at most 5: mend tests first");
    assertThat(Quarantine.violations(page(String.join("\n", rows.subList(1, 6))), tagged))
        .containsExactly(TEST + "0: no row in docs/quarantine.md, but a tag at ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "none", "?"})
  void rowWithoutOpenDefect_isFound(String defect) {
    String row = ROW.formatted(TEST).replace("the lease is 5 s", defect);

    assertThat(Quarantine.violations(page(row), TAGGED)).containsExactly(TEST + ": no open defect");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-12-04, soon, first seen and until must begin with a date",
    "2026-11-20, last week, first seen and until must begin with a date",
    "2026-12-04, 2026-12-05, more than 14 days",
    "| `LeaseTest` |, |, 6 cells instead of 7",
  })
  void malformedRow_isFound(String written, String instead, String violation) {
    String row = ROW.formatted(TEST).replace(written, instead);

    assertThat(Quarantine.violations(page(row), TAGGED)).containsExactly(TEST + ": " + violation);
  }

  @Test
  void rowIsOverdueAfterItsLastDay() {
    List<Row> rows = page(ROW.formatted(TEST));

    assertThat(Quarantine.overdue(rows, LocalDate.of(2026, 12, 4))).isEmpty();
    assertThat(Quarantine.overdue(rows, LocalDate.of(2026, 12, 5)))
        .containsExactly(TEST + ": in quarantine since 2026-11-20, its time is over");
  }

  @Test
  void tagsOfMethodsAndClassesAreFound() {
    JavaSource source =
        new JavaSource(
            "deploy/e2e/src/test/java/dev/sluice/e2e/DeployIT.java",
            """
            package dev.sluice.e2e;

            /** Not @Tag("quarantine") here. */
            @OnTestCluster
            @Tag("quarantine")
            @Timeout(value = 10, unit = TimeUnit.MINUTES)
            public final class DeployIT {
              // @Tag("quarantine")
              String text = "@Tag(\\"quarantine\\") void no() {}";

              @Test
              @Tag("smoke")
              void itRuns() {}

              @Tag(value = "quarantine")
              @ParameterizedTest(name = "(")
              @CsvSource({"a, b)", "c"})
              @MethodSource(names(of("x")))
              public Map<String, List<int[]>> itStarts(String a) {}

              @Tags({@Tag("slow"), @Tag("quarantine")})
              @Test void itEnds() {}

              @Tag("quarantine")
              @Nested
              class Later {}
            }
            """);

    assertThat(Quarantine.tagged(List.of(source)))
        .containsOnly(
            Map.entry("dev.sluice.e2e.DeployIT", source.path() + ":5"),
            Map.entry("dev.sluice.e2e.DeployIT#itStarts", source.path() + ":15"),
            Map.entry("dev.sluice.e2e.DeployIT#itEnds", source.path() + ":21"),
            Map.entry("dev.sluice.e2e.DeployIT$Later", source.path() + ":24"));
  }

  @Test
  void tagOfSomethingElse_matchesNoRow() {
    JavaSource source =
        new JavaSource("Slow.java", "package a;\n@Tag(\"quarantine\")\n@interface Slow {}\n");

    assertThat(Quarantine.tagged(List.of(source))).containsOnlyKeys("a.Slow#?");
  }

  private static List<Row> page(String rows) {
    return Quarantine.rows(
        """
        # Tests in quarantine

        | test | first seen | symptom | suspected cause | open defect | what else proves the rule | until |
        |---|---|---|---|---|---|---|
        %s
        """
            .formatted(rows));
  }
}
