package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests wait for conditions and never for time; integration tests as long as Patience says. */
class WaitsTest {
  private static final Pattern SLEEP =
      Pattern.compile(
          "(?:\\bThread|SECONDS|MINUTES)\\s*(?:\\.|::)\\s*sleep\\b"
              + "|\\bparkNanos\\b|\\buntil\\(\\(\\) -> true\\)");
  private static final Pattern LIMIT =
      Pattern.compile("(?:\\.\\s*atMost|\\bwaitAtMost|\\bsetDefaultTimeout)\\s*\\(\\s*([\\w.]+)");

  /** By the end of the path. */
  private static final Map<String, String> MAY_SLEEP =
      Map.of(
          "walk/ResetRun.java", "drives a lane of the model on a real clock",
          "walk/ResettableServer.java", "the same",
          "crash/Matrix.java", "kills at moments that are spread over a step",
          "worker/TemporalKilledIT.java", "measures what comes after an outage of known length");

  private static final Map<String, String> MAY_HAVE_LIMITS =
      Map.of("crash/Kills.java", "a timeout is an answer there: no such pod exists");

  @Test
  void noTestWaitsForTime() throws IOException {
    assertThat(
            found(
                SLEEP,
                test ->
                    !test.isOneOf(MAY_SLEEP.keySet()) && !test.path().endsWith("WaitsTest.java"),
                (test, sleep) -> true))
        .isEmpty();
  }

  @Test
  void integrationTestsLeaveLimitsToPatience() throws IOException {
    assertThat(
            found(
                LIMIT,
                test ->
                    test.isOneOf(List.of("IT.java")) && !test.text().contains("@Tag(\"timing\")")
                        || test.path().startsWith("deploy/e2e/")
                            && !test.isOneOf(MAY_HAVE_LIMITS.keySet()),
                (test, limit) -> !isPatient(test.text(), limit.group(1))))
        .isEmpty();
  }

  private interface Bad {
    boolean is(TestSource test, Matcher found);
  }

  private static List<String> found(Pattern pattern, Predicate<TestSource> which, Bad bad)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (TestSource test : TestSource.all()) {
      Matcher here = pattern.matcher(test.text());
      while (which.test(test) && here.find()) {
        if (bad.is(test, here)) {
          found.add(test.path() + ": " + here.group());
        }
      }
    }
    return found;
  }

  /** A multiple of the usual limit, or a constant of the same class that is one. */
  private static boolean isPatient(String code, String argument) {
    return argument.startsWith("Patience.")
        || Pattern.compile("\\bDuration\\s+" + argument + "\\s*=\\s*Patience\\.")
            .matcher(code)
            .find();
  }
}
