package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.plan.Sights.alive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.plan.Sights;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What makes a run that was held go on by itself, and what does not. */
class SignatureTest {

  private static final long NOW = 100_000_000;

  private static JobObservation job(int running, long checkpointAtMs, long savepointSinceMs) {
    return alive(
        FlinkJobState.RUNNING,
        running,
        new Times(NOW, 1_000, checkpointAtMs, NOW - 1_000, 0, savepointSinceMs));
  }

  private static Observation seen(int running, long checkpointAtMs, long savepointSinceMs) {
    return Sights.of(true, HighAvailability.OFF, job(running, checkpointAtMs, savepointSinceMs));
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of("nothing", seen(2, 0, 0), seen(2, 0, 0), false),
        Arguments.of("all tasks came up", seen(1, 0, 0), seen(2, 0, 0), true),
        Arguments.of("a savepoint ended", seen(2, 0, NOW - 1), seen(2, 0, 0), true),
        Arguments.of("a checkpoint nobody waits for", seen(2, 1_000, 0), seen(2, 2_000, 0), false),
        Arguments.of(
            "a checkpoint that is waited for",
            Sights.insisting(job(2, 1_000, 0)),
            Sights.insisting(job(2, 2_000, 0)),
            true),
        Arguments.of("its cluster is gone", seen(2, 0, 0), gone(), true),
        Arguments.of("a job nobody manages ended", Sights.session("a"), Sights.session(), true),
        Arguments.of("jobs in another order", session("a", "b"), session("b", "a"), false));
  }

  private static Observation gone() {
    return Sights.of(false, HighAvailability.OFF, new JobObservation.Unreachable("gone", "old"));
  }

  private static Observation session(String... unmanaged) {
    return Sights.session(unmanaged);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRunThatIsHeldGoesOnWhenThatChanges(
      String name, Observation before, Observation now, boolean goesOn) {
    assertThat(!Signature.of(now).equals(Signature.of(before))).isEqualTo(goesOn);
  }
}
