package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.workflows.operation.FailureType;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WhileClusterIsThereTest {

  private static final ProbeResult<String> NOT_YET =
      ProbeResult.notYet("the savepoint is being taken");

  private final TestClock clock = new TestClock();
  private final FakeView view = new FakeView();
  private final WhileClusterIsThere<String> wait =
      new WhileClusterIsThere<>(
          Refs.ORDERS, view, clock, () -> CompletableFuture.completedFuture(NOT_YET));

  @Test
  void asksAsLongAsTheClusterIsThere() {
    view.deployment = new Deployment();
    look();
    clock.advance(Duration.ofHours(1));

    assertThat(look()).isEqualTo(NOT_YET);
  }

  @Test
  void asksOnForAWhileBecauseTheWatchMayLag() {
    look();
    clock.advance(Duration.ofSeconds(30));

    assertThat(look()).isEqualTo(NOT_YET);
  }

  @Test
  void givesUpWhenTheClusterStaysAway() {
    look();
    clock.advance(Duration.ofSeconds(31));

    assertThat(look())
        .isEqualTo(
            ProbeResult.failed(
                FailureType.STATE_NOT_FOUND,
                "the JobManager Deployment of default/orders is gone, so the job cannot be asked"
                    + " for its state"));
  }

  @Test
  void aClusterThatCameBackCountsAnew() {
    look();
    clock.advance(Duration.ofSeconds(31));
    view.deployment = new Deployment();
    look();
    view.deployment = null;

    assertThat(look()).isEqualTo(NOT_YET);
  }

  private ProbeResult<String> look() {
    return wait.look().join();
  }
}
