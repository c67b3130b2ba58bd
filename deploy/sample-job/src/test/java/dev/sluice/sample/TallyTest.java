package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {

  @Test
  void whatAKeyLostOrDoubledIsAdded() {
    Tally tally =
        new Tally(5, 1, 1, 2, 13, 10).counted(new KeyCount(2, 0, 1), new KeyCount(3, 4, 3), 73);

    assertThat(tally).isEqualTo(new Tally(6, 5, 3, 2, 73, 10));
  }

  @Test
  void theHighestSequenceStaysWhenAnOlderElementComesAgain() {
    Tally tally =
        new Tally(5, 0, 0, 2, 40, 10).counted(new KeyCount(2, 0, 0), new KeyCount(3, 0, 1), 13);

    assertThat(tally.lastSequence()).isEqualTo(40);
  }

  @Test
  void talliesOfSubtasksAddUpHoweverTheyAreDealtOut() {
    Tally one = new Tally(5, 1, 0, 2, 40, 10);
    Tally two = new Tally(7, 0, 2, 3, 39, 10);

    assertThat(Tally.empty(10).plus(one).plus(two))
        .isEqualTo(Tally.empty(10).plus(two).plus(one))
        .isEqualTo(new Tally(12, 1, 2, 5, 40, 10));
  }
}
