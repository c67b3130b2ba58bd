package dev.sluice.activities.flink;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Dns;

/**
 * A JobManager that answers what a test wants, for the faults a real one does not make on demand.
 */
final class MockFlink implements AutoCloseable {

  /** Every host name is this machine. */
  static final Dns LOOPBACK = host -> List.of(InetAddress.getLoopbackAddress());

  /** Reads few bytes, and waits for an answer on a busy machine, too. */
  static final FlinkRestOptions BOUNDED = waiting(Duration.ofMinutes(1));

  /** Short enough for a test that waits for a timeout. */
  static final FlinkRestOptions IMPATIENT = waiting(Duration.ofMillis(300));

  final MockWebServer server = new MockWebServer();

  private static FlinkRestOptions waiting(Duration read) {
    return new FlinkRestOptions(Duration.ofMinutes(1), read, Duration.ofMinutes(2), 10_000, 8);
  }

  MockFlink() {
    try {
      server.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Endpoint cluster(String name) {
    return new Endpoint(
        new dev.sluice.workflows.model.ClusterRef("default", name), server.getPort());
  }

  Endpoint cluster() {
    return cluster("orders");
  }

  MockFlink answering(int status, String body) {
    return answering(response(status, body).build());
  }

  MockFlink answering(MockResponse response) {
    server.enqueue(response);
    return this;
  }

  static MockResponse.Builder response(int status, String body) {
    return new MockResponse.Builder()
        .code(status)
        .setHeader("Content-Type", "application/json; charset=UTF-8")
        .body(body);
  }

  /** The next request it got. */
  RecordedRequest asked() {
    try {
      RecordedRequest request = server.takeRequest(1, TimeUnit.MINUTES);
      if (request == null) {
        throw new AssertionError("no request came");
      }
      return request;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
