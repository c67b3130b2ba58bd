package dev.sluice.activities.async;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitProgressTest {

  private final WaitProgress progress = new WaitProgress();

  @Test
  void saysWhatWasSeenLast() {
    progress.saw("4 of 8 tasks running");
    progress.saw("5 of 8 tasks running");

    assertThat(progress.text()).isEqualTo("5 of 8 tasks running");
  }

  @Test
  void keepsWhatWasSeenBesideTheCountOfLooksThatCouldNotTell() {
    progress.saw("5 of 8 tasks running");
    progress.lost("timeout");
    progress.lost("connection refused");

    assertThat(progress.text())
        .isEqualTo("5 of 8 tasks running; no answer 2 times since: connection refused");
  }

  @Test
  void saysSoWhenNothingWasEverSeen() {
    progress.lost("connection refused");

    assertThat(progress.text())
        .isEqualTo("nothing seen yet; no answer once since: connection refused");
  }

  @Test
  void forgetsTheDoubtWithTheNextAnswer() {
    progress.lost("timeout");
    progress.saw("5 of 8 tasks running");

    assertThat(progress.text()).isEqualTo("5 of 8 tasks running");
  }

  @Test
  void onlyAnotherTextIsAChange() {
    progress.saw("a");
    progress.saw("a");
    progress.lost("timeout");
    assertThat(progress.unchanged()).isEqualTo(2);

    progress.saw("b");
    assertThat(progress.unchanged()).isZero();
  }

  @Test
  void newsIsAnotherTextOrTheFirstDoubtOrTheEndOfIt() {
    assertThat(progress.saw("a")).isTrue();
    assertThat(progress.saw("a")).isFalse();
    assertThat(progress.lost("timeout")).isTrue();
    assertThat(progress.lost("timeout")).isFalse();
    assertThat(progress.saw("a")).isTrue();
  }

  @Test
  void isShortEnoughForAHeartbeat() {
    progress.saw("x".repeat(10_000));
    progress.lost("y".repeat(10_000));

    assertThat(progress.text()).hasSizeLessThan(1000);
  }
}
