package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.workflows.cluster.AwaitJobManagerRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.FailureType;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobManagerWaitTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeView view = new FakeView();
  private JobManagerWait wait;

  @BeforeEach
  void begin() {
    view.deployment = new Deployment();
    wait =
        new JobManagerWait(
            new AwaitJobManagerRequest(Refs.ORDERS, "job", clock.in(Duration.ofMinutes(5))),
            Endpoint.of(new ClusterRef("default", "orders")),
            view,
            flink,
            clock);
  }

  @Test
  void doneOnceItAnswers() {
    view.pods.add(Pods.ready(Pods.jobManager()));
    flink.up(false);

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: 1 Running"));
    flink.up(true);

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void notAskedBeforeItsPodRuns() {
    view.pods.add(Pods.jobManager());

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: 1 Pending"));
    assertThat(flink.requests).isZero();
  }

  @Test
  void askedSeldomBeforeItsPodIsReady() {
    view.pods.add(Pods.running(Pods.jobManager()));
    flink.up(false);

    for (int i = 0; i < 40; i++) {
      look();
      clock.advance(Duration.ofMillis(100));
    }

    assertThat(flink.requests).isEqualTo(2);
  }

  @Test
  void askedAtOnceWhenItsPodIsReady() {
    view.pods.add(Pods.running(Pods.jobManager()));
    flink.up(false);
    look();

    flink.up(true);
    view.pods.set(0, Pods.ready(Pods.jobManager()));

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void aPodWhoseProbeNeverPassesIsNoHindrance() {
    view.pods.add(Pods.running(Pods.jobManager()));
    flink.up(false);
    look();

    flink.up(true);
    clock.advance(Duration.ofSeconds(2));

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void aDeploymentThatWentAwayIsTold() {
    view.deployment = null;

    assertThat(look()).isEqualTo(ProbeResult.notYet("the JobManager Deployment is not there"));
  }

  @Test
  void aCrashLoopEndsItBeforeTheDeadline() {
    view.pods.add(Pods.waiting(Pods.jobManager(), "CrashLoopBackOff", "", 3));
    look();
    clock.advance(Duration.ofSeconds(10));

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.message()).contains("crashed 3 times", "exit code 2"));
  }

  @Test
  void itEndsAtTheDeadlineWithWhatItSaw() {
    view.pods.add(Pods.unschedulable(Pods.jobManager(), "Insufficient memory"));
    clock.advance(Duration.ofMinutes(5));

    assertThat(look())
        .isEqualTo(
            ProbeResult.failed(
                FailureType.CLUSTER_NOT_READY,
                "the JobManager of default/orders did not answer in time: no node takes pod"
                    + " orders-0: Insufficient memory"));
  }

  private ProbeResult<Void> look() {
    return wait.look().join();
  }
}
