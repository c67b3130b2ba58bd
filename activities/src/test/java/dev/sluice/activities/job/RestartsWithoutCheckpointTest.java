package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestartsWithoutCheckpointTest {

  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final long NEVER = Long.MAX_VALUE;

  private final RestartsWithoutCheckpoint restarts = new RestartsWithoutCheckpoint();

  @Test
  void aJobThatRestartsThreeTimesIsGivenUpWhenThePatienceIsOver() {
    seen(10, 10, 0);
    seen(20, 20, 0);
    assertThat(seen(30, 30, 0)).isEqualTo(NEVER);

    assertThat(seen(40, 40, 0)).isEqualTo(NEVER);
    assertThat(seen(300, 300, 0)).isEqualTo(NEVER);

    assertThat(seen(310, 310, 0)).isEqualTo(310_000);
  }

  @Test
  void aJobThatHasRecoveredIsNotGivenUp() {
    seen(10, 10, 0);
    seen(20, 20, 0);
    seen(30, 30, 0);
    seen(40, 40, 0);

    assertThat(seen(1_000, 40, 0)).isEqualTo(NEVER);
  }

  @Test
  void aTaskThatFinishesIsNoRestart() {
    for (int task = 0; task < 5; task++) {
      restarts.note(BEGIN.plusSeconds(task * 100), 0, task, task * 100_000);
    }

    assertThat(restarts.givenUpMs(300_000)).isEqualTo(NEVER);
  }

  @Test
  void aCheckpointInBetweenBeginsTheCountAnew() {
    seen(10, 10, 0);
    seen(20, 20, 0);
    seen(30, 30, 0);
    seen(40, 40, 1);

    seen(50, 50, 1);
    assertThat(seen(330, 330, 1)).isEqualTo(NEVER);
    assertThat(seen(340, 340, 1)).isEqualTo(340_000);
  }

  @Test
  void aJobThatIsUpAllTheTimeDoesNotRestart() {
    for (int second = 10; second < 1_000; second += 10) {
      assertThat(seen(second, 10, 0)).isEqualTo(NEVER);
    }
  }

  /** It counts its checkpoints from 0 again. */
  @Test
  void anotherJobManagerIsARestartAndNoCheckpoint() {
    seen(10, 10, 7);
    seen(20, 20, 0);
    seen(30, 30, 0);

    assertThat(seen(310, 310, 0)).isEqualTo(310_000);
  }

  @Test
  void clocksThatDifferALittleFromLookToLookAreNoRestart() {
    for (int look = 0; look < 10; look++) {
      restarts.note(BEGIN.plusMillis(look % 2 * 500), 0, 0, look * 1_000);
    }

    assertThat(restarts.givenUpMs(300_000)).isEqualTo(NEVER);
  }

  /** When it is given up after a look at a job that is up since then; times in s. */
  private long seen(long now, long upSince, long completed) {
    restarts.note(BEGIN.plusSeconds(upSince), completed, 0, now * 1_000);
    return restarts.givenUpMs(300_000);
  }
}
