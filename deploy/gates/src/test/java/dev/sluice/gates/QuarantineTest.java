package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every test in quarantine has a row in docs/quarantine.md, and only few have. */
class QuarantineTest {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineTest.class);
  private static final int MOST_ROWS = 5;
  private static final int MOST_DAYS = 14;
  private static final int FIRST_SEEN = 1;
  private static final int DEFECT = 4;
  private static final int UNTIL = 6;

  /** The tag, and the class or method below it. */
  private static final Pattern TAGGED =
      Pattern.compile(
          "@Tag\\(\"quarantine\"\\)\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*"
              + "(?:(?:public|final|abstract|static)\\s+)*(class|void)\\s+(\\w+)");

  @Test
  void tableAndTagsAgree() throws IOException {
    Set<String> inTable = new TreeSet<>();
    rows().forEach(row -> inTable.add(row.get(0).replace("`", "")));
    Set<String> tagged = new TreeSet<>();
    for (TestSource test : TestSource.all()) {
      Matcher found = TAGGED.matcher(test.text());
      while (found.find()) {
        boolean isMethod = found.group(1).equals("void");
        tagged.add(test.className() + (isMethod ? "#" + found.group(2) : ""));
      }
    }

    assertThat(inTable).isEqualTo(tagged);
  }

  @Test
  void rowsAreFewHaveADefectAndEnd() throws IOException {
    assertThat(rows())
        .hasSizeLessThanOrEqualTo(MOST_ROWS)
        .allSatisfy(
            row -> {
              assertThat(row.get(DEFECT)).isNotBlank();
              assertThat(date(row.get(UNTIL)))
                  .isBeforeOrEqualTo(date(row.get(FIRST_SEEN)).plusDays(MOST_DAYS));
            });
  }

  /** A test that nobody brought back in time is no reason that other work waits. */
  @Test
  void rowsThatAreOverAreNamed() throws IOException {
    for (List<String> row : rows()) {
      if (date(row.get(UNTIL)).isBefore(LocalDate.now())) {
        LOG.warn("In quarantine for more than {} days: {}", MOST_DAYS, row.get(0));
      }
    }
  }

  private static LocalDate date(String cell) {
    return LocalDate.parse(cell.substring(0, "2026-01-31".length()));
  }

  private static List<List<String>> rows() throws IOException {
    return Files.readString(Sources.REPOSITORY.resolve("docs/quarantine.md"))
        .lines()
        .filter(line -> line.startsWith("|") && !line.startsWith("|none|"))
        .skip(2)
        .map(line -> List.of(line.substring(1).strip().split("\\s*\\|\\s*", -1)))
        .toList();
  }
}
