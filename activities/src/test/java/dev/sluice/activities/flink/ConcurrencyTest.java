package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which call waits for which other, and what ends one. */
class ConcurrencyTest {

  private static final String NO_JOBS = "{\"jobs\":[]}";

  private final MockFlink flink = new MockFlink();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** No call gives up by itself while a test waits. */
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(
          new FlinkRestOptions(ofMinutes(2), ofMinutes(2), ofMinutes(2), 8L << 20, 64),
          MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
    threads.shutdownNow();
  }

  private CompletableFuture<JobsOverview> inAThread(Endpoint cluster) {
    return CompletableFuture.supplyAsync(() -> rest.jobsOverview(cluster), threads);
  }

  private void silent() {
    flink.answering(response(200, NO_JOBS).onResponseStart(SocketEffect.Stall.INSTANCE).build());
  }

  /** W7, FLINK-36876: one connection is used again for each call, not a client for each. */
  @Test
  void oneClusterNeverGetsTwoCallsAtATime() {
    flink.server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return response(200, NO_JOBS).build();
          }
        });

    List<CompletableFuture<JobsOverview>> calls =
        IntStream.range(0, 20).mapToObj(i -> inAThread(flink.cluster())).toList();
    calls.forEach(CompletableFuture::join);

    // a call that overlaps another needs a connection of its own
    for (int i = 0; i < 20; i++) {
      assertThat(flink.asked().getConnectionIndex()).isZero();
    }
  }

  @Test
  void aClusterThatDoesNotAnswerHoldsUpNoOther() {
    flink.server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            String host = String.valueOf(request.getHeaders().get("Host"));
            return host.startsWith("stuck")
                ? response(200, NO_JOBS).onResponseStart(SocketEffect.Stall.INSTANCE).build()
                : response(200, NO_JOBS).build();
          }
        });

    CompletableFuture<JobsOverview> stuck = inAThread(flink.cluster("stuck"));
    flink.asked();
    assertThat(rest.jobsOverview(flink.cluster("orders")).jobs()).isEmpty();

    assertThat(stuck).isNotDone();
  }

  /** A wait that ends, and a worker that stops, interrupt the look that is in progress. */
  @Test
  void anInterruptEndsTheCallStaysSetAndMakesRoomForTheNext() throws InterruptedException {
    silent();
    flink.answering(200, NO_JOBS);
    Stuck stuck = new Stuck(rest, flink.cluster());
    stuck.start();
    flink.asked();

    stuck.interrupt();
    stuck.join();

    assertThat(stuck.failure).isInstanceOf(Unreachable.class).hasMessageContaining("abandoned");
    assertThat(stuck.staysInterrupted).isTrue();
    assertThat(rest.jobsOverview(flink.cluster()).jobs()).isEmpty();
  }

  @Test
  void aThreadThatIsInterruptedAlreadySendsNothing() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> rest.jobsOverview(flink.cluster())).isInstanceOf(Unreachable.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(flink.server.getRequestCount()).isZero();
  }

  @Test
  void timeQueuedBehindAnotherCallCountsForALimit() {
    silent();
    CompletableFuture<JobsOverview> stuck = inAThread(flink.cluster());
    flink.asked();

    assertThatThrownBy(() -> rest.within(ofMillis(50)).jobsOverview(flink.cluster()))
        .isInstanceOf(Unreachable.class)
        .hasMessage("default/orders: GET /jobs/overview got no answer in time");
    assertThat(stuck).isNotDone();
  }

  @Test
  void withoutTimeLeftNothingIsSent() {
    assertThatThrownBy(() -> rest.within(Duration.ZERO).jobsOverview(flink.cluster()))
        .isInstanceOf(Unreachable.class);

    assertThat(flink.server.getRequestCount()).isZero();
  }

  @Test
  void closingAbandonsWhatIsUnderWay() {
    silent();
    CompletableFuture<JobsOverview> stuck = inAThread(flink.cluster());
    flink.asked();

    rest.close();

    await().until(stuck::isCompletedExceptionally);
  }

  @Test
  void aConnectionThatDiedMeanwhileIsReplaced() {
    flink.answering(response(200, NO_JOBS).onResponseEnd(new SocketEffect.CloseSocket()).build());
    flink.answering(200, NO_JOBS);

    assertThat(rest.jobsOverview(flink.cluster()).jobs()).isEmpty();

    assertThat(rest.jobsOverview(flink.cluster()).jobs()).isEmpty();
  }

  /** A thread whose call is not answered. */
  private static final class Stuck extends Thread {
    private final FlinkRest rest;
    private final Endpoint cluster;
    private volatile @Nullable FlinkRestException failure;
    private volatile boolean staysInterrupted;

    Stuck(FlinkRest rest, Endpoint cluster) {
      this.rest = rest;
      this.cluster = cluster;
    }

    @Override
    public void run() {
      try {
        var unused = rest.jobsOverview(cluster);
      } catch (FlinkRestException e) {
        failure = e;
        staysInterrupted = isInterrupted();
      }
    }
  }
}
