package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom. */
class ConcurrencyTest {

  private static final String NO_JOBS = "{\"jobs\":[]}";

  private final MockFlink flink = new MockFlink();

  /** No call gives up by itself while a test waits. */
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(
          new FlinkRestOptions(ofMinutes(2), ofMinutes(2), ofMinutes(2), 8L << 20, 64),
          MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
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

    List<CompletableFuture<JobsOverview>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(rest.jobsOverview(flink.cluster()));
    }
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

    CompletableFuture<JobsOverview> stuck = rest.jobsOverview(flink.cluster("stuck"));
    rest.jobsOverview(flink.cluster("orders")).join();

    assertThat(stuck).isNotDone();
  }

  @Test
  void whatHangsOnAnAnswerMayCallTheSameClusterAndWait() {
    flink.answering(200, NO_JOBS).answering(200, NO_JOBS);

    CompletableFuture<JobsOverview> twice =
        rest.jobsOverview(flink.cluster())
            .thenApply(first -> rest.jobsOverview(flink.cluster()).join());

    assertThat(twice).succeedsWithin(ofMinutes(2));
  }

  @Test
  void anAbandonedCallMakesRoomForTheNext() {
    flink.answering(response(200, NO_JOBS).onResponseStart(SocketEffect.Stall.INSTANCE).build());
    flink.answering(200, NO_JOBS);
    CompletableFuture<JobsOverview> stuck = rest.jobsOverview(flink.cluster());
    flink.asked();

    stuck.cancel(true);

    assertThat(rest.jobsOverview(flink.cluster())).succeedsWithin(ofMinutes(2));
  }

  @Test
  void callingDoesNotBlockTheCaller() throws InterruptedException {
    CountDownLatch answer = new CountDownLatch(1);
    flink.server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
            answer.await(2, TimeUnit.MINUTES);
            return response(200, NO_JOBS).build();
          }
        });

    CompletableFuture<JobsOverview> call = rest.jobsOverview(flink.cluster());
    assertThat(call).isNotDone();
    answer.countDown();

    assertThat(call).succeedsWithin(ofMinutes(2));
  }

  @Test
  void closingAbandonsWhatIsUnderWay() {
    flink.answering(response(200, NO_JOBS).onResponseStart(SocketEffect.Stall.INSTANCE).build());
    CompletableFuture<JobsOverview> stuck = rest.jobsOverview(flink.cluster());
    flink.asked();

    rest.close();

    await().until(stuck::isCompletedExceptionally);
  }

  @Test
  void aConnectionThatDiedMeanwhileIsReplaced() {
    flink.answering(response(200, NO_JOBS).onResponseEnd(new SocketEffect.CloseSocket()).build());
    flink.answering(200, NO_JOBS);

    rest.jobsOverview(flink.cluster()).join();

    assertThat(rest.jobsOverview(flink.cluster())).succeedsWithin(ofMinutes(2));
  }
}
