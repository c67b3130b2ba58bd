package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;

class NumberReaderTest {

  private static final long KEYS = 5;

  private final CollectedNumbers output = new CollectedNumbers();
  private final NumberReader reader = new NumberReader(2);

  @Test
  void splitsAreReadByTurns() {
    reader.addSplits(NumberSplit.shares(2, KEYS, NumberSplit.ENDLESS));

    poll(reader, 6);

    assertThat(output.numbers()).containsExactly(0L, 1L, 2L, 3L, 4L, 6L);
  }

  @Test
  void inputEndsWhenAllSplitsHaveEndedAndNoMoreWillCome() {
    reader.addSplits(NumberSplit.shares(2, KEYS, 2).subList(1, 2));
    poll(reader, 2);

    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    reader.notifyNoMoreSplits();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.END_OF_INPUT);
    assertThat(output.numbers()).containsExactly(1L, 3L);
  }

  @Test
  void inputGoesOnWhileOneSplitIsEndless() {
    reader.addSplits(NumberSplit.shares(2, KEYS, 2));
    reader.notifyNoMoreSplits();

    poll(reader, 10);

    assertThat(reader.snapshotState(1)).extracting(NumberSplit::index).containsExactly(0);
  }

  @Test
  void countsStayExactWhenSplitsMoveToOtherReaders() {
    // given a reader of both splits, and its state after 40 elements
    reader.addSplits(NumberSplit.shares(2, KEYS, 30));
    poll(reader, 40);
    List<NumberSplit> state = reader.snapshotState(1);

    // when two readers go on with one split each
    for (NumberSplit split : state) {
      NumberReader other = new NumberReader(2);
      other.addSplits(List.of(split));
      other.notifyNoMoreSplits();
      for (int i = 0; i < 50; i++) {
        other.pollNext(output);
      }
    }

    // then no element is missing and none came twice
    Map<Long, KeyCount> counts = new HashMap<>();
    for (long number : output.numbers()) {
      counts.merge(
          number % KEYS, KeyCount.NONE.next(number, KEYS), (kept, one) -> kept.next(number, KEYS));
    }
    assertThat(counts.values())
        .hasSize((int) KEYS)
        .allSatisfy(count -> assertThat(count.lost() + count.doubled()).isZero());
    assertThat(output.numbers()).hasSize(40 + 50 + 10);
  }

  private void poll(NumberReader from, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(from.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    }
  }
}
