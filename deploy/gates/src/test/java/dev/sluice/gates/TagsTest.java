package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every test is run by the gate or by one profile: see CONTRIBUTING. */
class TagsTest {
  private static final Pattern TAG = Pattern.compile("@(?:[\\w.]+\\.)?Tag\\s*\\(([^)]*)\\)");
  private static final Pattern HIDDEN =
      Pattern.compile("@Disabled\\w*|@Enabled\\w+|\\bassume(?:That|True|False)\\b");

  /** The tags that a profile runs, timing and quarantine among them. */
  private static final Set<String> TAGS =
      Set.of(
          "bench",
          "crash",
          "docs",
          "e2e",
          "model",
          "node",
          "quarantine",
          "slow",
          "smoke",
          "timing");

  /** Its bill of materials is made only where Maven is online. */
  private static final List<String> MAY_BE_LEFT_OUT = List.of("image/ImageIT.java");

  private static final List<String> ON_THE_LAPTOP_CLUSTER =
      List.of("deploy/e2e/", "deploy/local/", "deploy/image/");

  /** It needs an API server, and no cluster. */
  private static final List<String> IN_THE_GATE = List.of("chart/ChartIT.java");

  @Test
  void eachTagIsThatOfAProfile() throws IOException {
    for (TestSource test : tests()) {
      assertThat(tags(test)).as(test.path()).isSubsetOf(TAGS);
    }
  }

  /** Without a tag it would be part of the gate, with two it would run in two profiles. */
  @Test
  void testsOnTheLaptopClusterHaveOneTag() throws IOException {
    for (TestSource test : tests()) {
      if (test.path().endsWith("IT.java")
          && !test.isOneOf(IN_THE_GATE)
          && ON_THE_LAPTOP_CLUSTER.stream().anyMatch(test.path()::startsWith)) {
        assertThat(tags(test)).as(test.path()).hasSize(1);
      }
    }
  }

  @Test
  void noTestIsLeftOut() throws IOException {
    for (TestSource test : tests()) {
      if (test.isOneOf(MAY_BE_LEFT_OUT)) {
        continue;
      }
      assertThat(HIDDEN.matcher(test.text()).find()).as(test.path()).isFalse();
    }
  }

  private static List<TestSource> tests() throws IOException {
    return TestSource.all().stream().filter(it -> !it.path().startsWith("deploy/gates/")).toList();
  }

  private static List<String> tags(TestSource test) {
    List<String> tags = new ArrayList<>();
    Matcher found = TAG.matcher(test.text());
    while (found.find()) {
      tags.add(found.group(1).replace("\"", ""));
    }
    return tags;
  }
}
