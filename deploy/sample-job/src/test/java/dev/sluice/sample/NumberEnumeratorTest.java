package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumberEnumeratorTest {

  private static final List<NumberSplit> SPLITS = NumberSplit.shares(3, 10, 5);

  private final RecordedAssignments readers = new RecordedAssignments(2);
  private final NumberEnumerator enumerator = new NumberEnumerator(readers, SPLITS);

  @Test
  void everySplitIsAssignedOnceRoundRobin() {
    enumerator.addReader(0);
    enumerator.addReader(1);

    assertThat(readers.of(0)).containsExactly(SPLITS.get(0), SPLITS.get(2));
    assertThat(readers.of(1)).containsExactly(SPLITS.get(1));
    assertThat(enumerator.snapshotState(1)).isEmpty();
  }

  @Test
  void everyReaderHearsThatNoMoreSplitsWillComeAlsoWithoutAny() {
    NumberEnumerator restored = new NumberEnumerator(readers, List.of());

    restored.addReader(0);
    restored.addReader(1);

    assertThat(readers.toldOfNoMoreSplits()).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void aSplitWhoseReaderIsNotThereYetIsPartOfTheState() {
    enumerator.addReader(0);

    assertThat(enumerator.snapshotState(1)).containsExactly(SPLITS.get(1));
  }

  @Test
  void splitsOfAFailedReaderAreAssignedToItAgain() {
    enumerator.addReader(0);
    enumerator.addReader(1);

    enumerator.addSplitsBack(List.of(SPLITS.get(1)), 1);
    enumerator.addReader(1);

    assertThat(readers.of(1)).containsExactly(SPLITS.get(1), SPLITS.get(1));
    assertThat(readers.of(0)).hasSize(2);
  }
}
