package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Timer;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {

  private final AtomicReference<Optional<String>> problem =
      new AtomicReference<>(Optional.of("no answer since 12 s"));
  private final Metrics metrics = new Metrics();
  private final HttpClient http = HttpClient.newHttpClient();
  private HealthServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        HealthServer.start(
            "127.0.0.1",
            0,
            List.of(
                new HealthCheck("kubernetes", Optional::empty),
                new HealthCheck("temporal", () -> problem.get().map(String::trim))),
            metrics);
  }

  @AfterEach
  void stop() {
    server.close();
    metrics.close();
  }

  @Test
  void aFailingCheckIsNamedWithItsReason() throws Exception {
    HttpResponse<String> answer = send("GET", "/readyz");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .isEqualTo("[+]kubernetes ok\n[-]temporal no answer since 12 s\nnot ok\n");
  }

  @Test
  void readyOnceEveryCheckHolds() throws Exception {
    problem.set(Optional.empty());

    assertThat(send("GET", "/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void aliveThoughNotReady() throws Exception {
    HttpResponse<String> answer = send("GET", "/livez");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok\n");
  }

  @Test
  void aCheckThatThrowsIsAProblemNotACrash() throws Exception {
    problem.set(null);

    HttpResponse<String> answer = send("GET", "/readyz");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("[-]temporal the check failed: ");
  }

  @Test
  void metricsHaveTheJvm() throws Exception {
    HttpResponse<String> answer = send("GET", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    assertThat(answer.body()).contains("jvm_memory_used_bytes", "process_uptime_seconds");
  }

  @Test
  void noMeterHasASeriesForEachBucketOrRetry() {
    for (String retry : List.of("0", "1")) {
      Timer.builder("step")
          .tag("reconciliations.retries.number", retry)
          .publishPercentileHistogram()
          .register(metrics.registry())
          .record(Duration.ofSeconds(1));
    }

    assertThat(metrics.scrape().lines().filter(it -> it.startsWith("step_seconds")))
        .containsExactlyInAnyOrder(
            "step_seconds_count 2", "step_seconds_sum 2.0", "step_seconds_max 1.0");
  }

  @Test
  void onlyGet() throws Exception {
    HttpResponse<String> answer = send("POST", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("GET");
  }

  @Test
  void onlyKnownPaths() throws Exception {
    assertThat(send("GET", "/livez/more").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/").statusCode()).isEqualTo(404);
  }

  @Test
  void aTakenPortIsToldAtOnce() {
    assertThatThrownBy(() -> HealthServer.start("127.0.0.1", server.port(), List.of(), metrics))
        .isInstanceOf(BindException.class);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
