package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests wait for conditions, as long as Patience says. */
class WaitsTest {
  private static final String IT = "controller/src/test/java/dev/sluice/controller/LeaseIT.java";
  private static final String SUPPORT = "deploy/e2e/src/test/java/dev/sluice/e2e/job/Job.java";

  /** By the end of the path. */
  private static final Map<String, String> MAY_SLEEP =
      Map.of(
          "walk/ResetRun.java", "drives a lane of the model on a real clock",
          "worker/TemporalKilledIT.java", "measures what comes after an outage of a known length");

  private static final Map<String, String> MAY_HAVE_LIMITS =
      Map.of("crash/Kills.java", "a timeout is an answer there: no such pod exists");

  @Test
  void noTestWaitsForTime() throws IOException {
    assertThat(Waits.sleeps(without(MAY_SLEEP))).isEmpty();
  }

  @Test
  void integrationTestsLeaveLimitsToPatience() throws IOException {
    assertThat(Waits.limits(without(MAY_HAVE_LIMITS))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thread.sleep(10);",
        "TimeUnit.SECONDS.sleep(1);",
        "MILLISECONDS.sleep(1);",
        "run(Thread::sleep);",
        "import static java.lang.Thread.sleep;"
      })
  void sleep_isFound(String code) {
    assertThat(Waits.sleeps(List.of(new JavaSource("ATest.java", code)))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// no Thread.sleep(10)",
        "/* Thread.sleep(10) */",
        "say(\"Thread.sleep(10)\");",
        "Workflow.sleep(ofSeconds(1));"
      })
  void otherSleep_isAccepted(String code) {
    assertThat(Waits.sleeps(List.of(new JavaSource("ATest.java", code)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "await().atMost(Duration.ofSeconds(30)).until(this::ready);",
        "await(\"(ready)\")\n    .pollDelay(ZERO)\n    .atMost(1, MINUTES)\n    .until(this::ready);",
        "static final Duration PATIENCE = ofSeconds(9);\n soon().atMost(PATIENCE).until(this::ready);",
        "soon().atMost(Process.PATIENCE).until(this::ready);",
        "soon().atMost(slow ? Patience.times(2) : SHORT).until(this::ready);",
        "waitAtMost(ofSeconds(1)).until(this::ready);",
        "Awaitility.setDefaultTimeout(ofSeconds(1));",
        "await().timeout(ofSeconds(1)).until(this::ready);",
        "await().pollDelay(of(1)).forever().until(this::ready);"
      })
  void limit_isFoundInIntegrationTestsAndEndToEnd(String code) {
    assertThat(limits(IT, code)).hasSize(1);
    assertThat(limits(SUPPORT, code)).hasSize(1);
    assertThat(limits("controller/src/test/java/LeaseTest.java", code)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "await().until(this::ready);",
        "await().atMost(Patience.times(3)).until(this::ready);",
        "static final Duration LONG = Patience.times(2);\n await().atMost(LONG).until(this::ready);",
        "// await().atMost(ofSeconds(1))",
        "await().until(() -> send(HttpRequest.newBuilder().timeout(ofSeconds(5)).build()));",
        "await().during(ofSeconds(1)).pollInterval(ofMillis(20)).until(this::ready);",
        "@Tag(\"timing\") class A { void a() { await().atMost(ofSeconds(1)).until(this::ready); } }"
      })
  void otherWait_isAccepted(String code) {
    assertThat(limits(IT, code)).isEmpty();
  }

  @Test
  void whatIsFound_isNamedWithItsLine() {
    String code =
        "class A {\n  boolean a = await()\n      .atMost(ofSeconds(1))\n      .until(b);\n}";

    assertThat(limits(IT, code)).containsExactly(IT + ":3: .atMost(ofSeconds(1))");
  }

  private static List<String> limits(String path, String code) {
    return Waits.limits(List.of(new JavaSource(path, code)));
  }

  private static List<JavaSource> without(Map<String, String> exceptions) throws IOException {
    return Sources.ofTests().stream()
        .filter(test -> exceptions.keySet().stream().noneMatch(test.path()::endsWith))
        .toList();
  }
}
