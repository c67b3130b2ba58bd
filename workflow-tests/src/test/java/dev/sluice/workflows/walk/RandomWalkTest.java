package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Cases.Todo;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Several acts in each scenario, chosen by a seed. {@code -Dsluice.walk.seed} begins elsewhere,
 * {@code -Dsluice.walk.walks} sets how many, {@code -Dsluice.walk.minutes} for how long instead.
 */
@Tag("model")
class RandomWalkTest {

  private static final long SEED = Long.getLong("sluice.walk.seed", 1);
  private static final int WALKS = Integer.getInteger("sluice.walk.walks", 300);
  private static final Duration TIME = Duration.ofMinutes(Long.getLong("sluice.walk.minutes", 0));
  private static final int AT_ONCE = 512;

  @Test
  void noRuleIsBroken() {
    WalkReport report = new WalkReport("random");
    long end = System.nanoTime() + TIME.toNanos();

    try (Cases cases = new Cases()) {
      while (TIME.isZero() ? report.count() < WALKS : System.nanoTime() < end) {
        int left = TIME.isZero() ? WALKS - report.count() : AT_ONCE;
        long from = SEED + report.count();
        cases.run(
            LongStream.range(from, from + Math.min(left, AT_ONCE))
                .<Todo>mapToObj(RandomWalk::of)
                .toList(),
            report::add);
      }
    }

    assertThat(report.broken())
        .as("%s; a walk alone: -Dsluice.walk.seed=N -Dsluice.walk.walks=1", report.summary())
        .isEmpty();
  }
}
