package dev.sluice.controller.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleTimesTest {

  private static ScheduleSpec of(String interval, String id) {
    SnapshotType type = SnapshotType.SAVEPOINT;
    return ScheduleTimes.of(
        SnapshotInterval.of(
                FlinkConfiguration.empty().with(SnapshotInterval.key(type), interval), type)
            .orElseThrow(),
        id);
  }

  @Test
  void aTimeIsAnIntervalWithoutJitter() {
    ScheduleSpec spec = of("10 min", "orders");

    assertThat(spec.getIntervals()).hasSize(1);
    assertThat(spec.getIntervals().get(0).getEvery()).isEqualTo(Duration.ofMinutes(10));
    assertThat(spec.getJitter()).isNull();
    assertThat(spec).isEqualTo(of("10 min", "orders"));
  }

  @Test
  void aThousandJobsWithOneIntervalAreSpreadOverIt() {
    List<Duration> offsets =
        IntStream.range(0, 1_000)
            .mapToObj(i -> of("1 h", "FlinkDeployment_shop_orders-%d_0a1b2c%02x".formatted(i, i)))
            .map(spec -> spec.getIntervals().get(0))
            .map(ScheduleIntervalSpec::getOffset)
            .toList();

    assertThat(offsets).allMatch(it -> !it.isNegative() && it.compareTo(Duration.ofHours(1)) < 0);
    assertThat(offsets.stream().distinct()).hasSizeGreaterThan(500);
  }

  @Test
  void aCronExpressionIsOneOfTemporalInUtc() {
    ScheduleSpec spec = of("0/20 30 3,5 ? * MON-FRI", "orders");

    assertThat(spec.getTimeZoneName()).isEqualTo("UTC");
    assertThat(spec.getJitter()).isEqualTo(ScheduleTimes.JITTER);
    assertThat(spec.getCronExpressions()).containsExactly("0,20,40 30 3,5 * * 1,2,3,4,5 *");
  }
}
