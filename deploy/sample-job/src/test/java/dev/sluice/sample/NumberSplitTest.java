package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberSplitTest {

  private static List<Long> below(long limit, NumberSplit split) {
    List<Long> numbers = new ArrayList<>();
    for (NumberSplit at = split; !at.ended() && at.next() < limit; at = at.advanced()) {
      numbers.add(at.next());
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "2, 37", "3, 10", "5, 7"})
  void everyNumberIsInExactlyOneSplit(int splits, long keys) {
    List<Long> numbers = new ArrayList<>();
    NumberSplit.shares(splits, keys, NumberSplit.ENDLESS)
        .forEach(split -> numbers.addAll(below(500, split)));

    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 500).boxed().toList());
  }

  @Test
  void allNumbersOfAKeyAreInOneSplitInAscendingOrder() {
    for (NumberSplit split : NumberSplit.shares(3, 10, NumberSplit.ENDLESS)) {
      assertThat(below(500, split))
          .isSorted()
          .allSatisfy(number -> assertThat(number % 10 % 3).isEqualTo(split.index()));
    }
  }

  @Test
  void onlyTheLastSplitEnds() {
    List<NumberSplit> splits = NumberSplit.shares(2, 4, 5);

    assertThat(below(500, splits.get(0))).hasSize(250);
    assertThat(below(500, splits.get(1))).containsExactly(1L, 3L, 5L, 7L, 9L);
  }

  @Test
  void aSplitOfNoElementsHasEnded() {
    assertThat(NumberSplit.below(0).ended()).isTrue();
    assertThat(below(500, NumberSplit.below(3))).containsExactly(0L, 1L, 2L);
  }
}
