package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.Request;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What Temporal's UI shows of a run, which Temporal refuses to start if it is too long. */
class RunTextTest {

  private static final int TEMPORALS_BOUND = 20_000;

  @Test
  void the_text_of_a_request_is_shown() {
    assertThat(details("ticket 4711")).contains("annotation `sluice.dev/retry`: ticket 4711");
  }

  @Test
  void a_long_request_does_not_make_the_details_too_long_for_Temporal() {
    String details = details("\u20ac\"\n".repeat(50_000));

    assertThat(inJson(details)).isLessThan(TEMPORALS_BOUND);
    assertThat(details).contains("...");
  }

  private static String details(String request) {
    Deployed given = Deployed.upgrading().annotated(new Request(Request.Kind.RETRY, request));
    return ((Signal) JobPlanner.decide(given.snapshot())).otherwise().details();
  }

  private static int inJson(String text) {
    return text.replace("\"", "\\\"").replace("\n", "\\n").getBytes(StandardCharsets.UTF_8).length;
  }
}
