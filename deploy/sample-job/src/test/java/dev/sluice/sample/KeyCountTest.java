package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyCountTest {

  private static final long KEYS = 10;

  /** Counts the elements number {@code first} to {@code last} (from 1) of key 3. */
  private static KeyCount count(KeyCount from, long first, long last) {
    return LongStream.rangeClosed(first, last)
        .boxed()
        .reduce(from, (kept, n) -> kept.next(3 + (n - 1) * KEYS, KEYS), (a, b) -> b);
  }

  @Test
  void stateOlderThanTheSourceShowsWhatIsLost() {
    // given a state of 5 elements, and a source that goes on behind the 8th
    KeyCount old = count(KeyCount.NONE, 1, 5);

    assertThat(count(old, 9, 9)).isEqualTo(new KeyCount(6, 3, 0));
  }

  @Test
  void stateNewerThanTheSourceShowsWhatIsDoubled() {
    // given a state of 8 elements, and a source that starts again behind the 5th
    KeyCount ahead = count(KeyCount.NONE, 1, 8);

    assertThat(count(ahead, 6, 9)).isEqualTo(new KeyCount(12, 0, 3));
  }

  @Test
  void emptyStateBehindALongSequenceIsAllLost() {
    assertThat(count(KeyCount.NONE, 101, 101)).isEqualTo(new KeyCount(1, 100, 0));
  }

  @ParameterizedTest
  @DisplayName("count + lost - doubled is what the sequence implies")
  @CsvSource({"1,5,9,20", "1,8,6,20", "1,8,1,20", "50,60,61,70"})
  void theSumsAlwaysExplainTheSequence(long first, long last, long againFrom, long to) {
    KeyCount after = count(count(KeyCount.NONE, first, last), againFrom, to);

    assertThat(after.count() + after.lost() - after.doubled()).isEqualTo(to);
  }
}
