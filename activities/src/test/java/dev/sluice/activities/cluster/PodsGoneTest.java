package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PodsGoneTest {

  private final TestClock clock = new TestClock();
  private final FakeView cache = new FakeView();
  private final FakeClusters api = new FakeClusters();
  private final PodsGone gone = new PodsGone(Refs.CLUSTER, new ClusterAccess(api, cache, clock));

  private ProbeResult<Void> look() {
    return gone.look(() -> ProbeResult.done(null));
  }

  @Test
  void aCacheWhoseWatchHangsHoldsTheWaitUpFor30Seconds() {
    cache.pods.add(Pods.taskManager());
    api.pods.add(Pods.taskManager());
    ProbeResult<Void> left = ProbeResult.notYet("1 pods left: orders-taskmanager-1-1");
    assertThat(look()).isEqualTo(left);

    api.pods.clear();
    clock.advance(Duration.ofSeconds(29));
    assertThat(look()).isEqualTo(left);

    clock.advance(Duration.ofSeconds(1));
    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void anEmptyCacheDoesNotDecide() {
    api.pods.add(Pods.taskManager());
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);

    api.pods.clear();
    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }
}
