package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every class with a test in quarantine has a row in docs/quarantine.md, and only few have. */
class QuarantineTest {
  private static final int MOST_ROWS = 5;
  private static final int MOST_DAYS = 14;
  private static final int FIRST_SEEN = 1;
  private static final int DEFECT = 4;
  private static final int UNTIL = 6;
  // in two parts, so that this file does not carry it
  private static final String TAG = "@Tag(" + "\"quarantine\")";

  @Test
  void tableAndTagsAgree() throws IOException {
    Set<String> inTable = new TreeSet<>();
    rows().forEach(row -> inTable.add(row.get(0).replace("`", "").replaceFirst("#.*", "")));
    Set<String> tagged = new TreeSet<>();
    for (TestSource test : TestSource.all()) {
      if (test.text().contains(TAG)) {
        tagged.add(test.className());
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
