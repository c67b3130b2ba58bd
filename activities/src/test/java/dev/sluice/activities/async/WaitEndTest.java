package dev.sluice.activities.async;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.activity.FailureType;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.failure.ApplicationFailure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done once when a wait ends, and ends that come later than planned. */
class WaitEndTest {

  private final AtomicInteger ends = new AtomicInteger();
  private final WaitRig rig = new WaitRig().with(wait -> wait.atEnd(ends::incrementAndGet));

  static Stream<ProbeResult<String>> results() {
    return Stream.of(
        ProbeResult.done("up"), ProbeResult.failed("Bad", "no"), ProbeResult.retry("Bad", "no"));
  }

  @ParameterizedTest
  @MethodSource("results")
  void itIsDoneWhenALookDecides(ProbeResult<String> result) {
    rig.seeing(result).start(ofMinutes(5));
    rig.loop.advance(ofSeconds(1));

    assertThat(ends).hasValue(1);
  }

  static Stream<RuntimeException> refusals() {
    return Stream.of(new ActivityCanceledException(), new ActivityNotExistsException("gone", null));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void itIsDoneWhenTemporalTakesTheActivityBack(RuntimeException refusal) {
    rig.start(ofMinutes(5));
    rig.temporal.onHeartbeat = refusal;
    rig.loop.advance(ofMinutes(1));

    assertThat(ends).hasValue(1);
  }

  @Test
  void itIsDoneWhenTheWaitIsHandedOver() {
    rig.start(ofMinutes(5)).handOver();

    assertThat(ends).hasValue(1);
  }

  @Test
  void itIsDoneAtTheDeadline() {
    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(6));

    assertThat(ends).hasValue(1);
  }

  @Test
  void theDeadlineIsLaterByTheExtensionThatHoldsThen() {
    AtomicLong extension = new AtomicLong();
    WaitRig extended = new WaitRig().with(wait -> wait.extendedBy(extension::get));
    extended.start(ofMinutes(5));
    extended.loop.advance(ofMinutes(4));
    extension.set(ofMinutes(3).toMillis());

    extended.loop.advance(ofSeconds(239));
    assertThat(extended.temporal.failures).isEmpty();
    extended.loop.advance(ofSeconds(1));

    assertThat(extended.temporal.failures).hasSize(1);
  }

  @Test
  void theNextAttemptLearnsOfTheExtension() {
    WaitRig extended = new WaitRig().with(wait -> wait.extendedBy(() -> 1234));
    extended.seeing(ProbeResult.notYet("queued")).start(ofMinutes(5));
    extended.loop.advance(ofSeconds(6));

    assertThat(extended.temporal.details).containsExactly(new WaitHeartbeat("queued", 1234, false));
  }

  private static ApplicationFailure refusal() {
    return ApplicationFailure.newFailure("pods is forbidden", FailureType.REFUSED);
  }

  /** Rights that were taken away do not come back by waiting to the limit. */
  @Test
  void itFailsAsRefusedWhenKubernetesRefusesForHalfAMinute() {
    rig.failing(1_000, refusal()).start(ofMinutes(5));

    rig.loop.advance(ofSeconds(31));

    assertThat(rig.temporal.failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getOriginalMessage())
                  .isEqualTo("waiting for all tasks of default/orders to run: pods is forbidden");
            });
  }

  @Test
  void aRefusalThatPassesEndsNothing() {
    rig.failing(3, refusal()).seeing(ProbeResult.notYet("2 of 4 tasks running"));
    rig.start(ofMinutes(5));

    rig.loop.advance(ofMinutes(4));

    assertThat(ends).hasValue(0);
  }
}
