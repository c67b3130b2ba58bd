package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.deployment.DeploymentCheck;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an answer takes: the figures are printed, and only what no busy machine can miss is
 * asserted.
 */
@Tag("timing")
class AdmissionLoadIT {

  private static final Path EVERY_FIELD =
      Path.of("../api/src/test/resources/manifests/valid/every-field.yaml");
  private static final int PER_SECOND = 100;
  private static final int CONNECTIONS = 16;
  private static final int WARM_UP_SECONDS = 3;
  private static final int SECONDS = 5;

  @TempDir private Path folder;

  @Test
  void at_100_requests_per_second_an_answer_takes_milliseconds() throws Exception {
    Authority authority = new Authority();
    authority.issue(folder, 10, "EC");
    AdmissionSettings settings =
        new AdmissionSettings(
            folder.resolve("tls.crt"),
            folder.resolve("tls.key"),
            Duration.ofSeconds(5),
            "127.0.0.1",
            0,
            List.of());
    try (AdmissionServer server =
        AdmissionServer.start(settings, admission(), new SimpleMeterRegistry())) {
      HttpClient client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(authority.trust())
              .build();
      URI uri = URI.create("https://127.0.0.1:" + server.port() + "/validate?timeout=5s");
      HttpRequest request =
          HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(change())).build();

      double[] cold = millis(client, request, WARM_UP_SECONDS);
      double[] warm = millis(client, request, SECONDS);

      System.out.printf(
          "admission of a change of %s with every field, %d/s: first %d s p50 %.1f ms, p99 %.1f ms;"
              + " then %d s p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
          FlinkDeployment.KIND,
          PER_SECOND,
          WARM_UP_SECONDS,
          at(cold, 50),
          at(cold, 99),
          SECONDS,
          at(warm, 50),
          at(warm, 99),
          at(warm, 100));
      assertThat(at(warm, 50)).as("median, ms").isLessThan(20);
    }
  }

  private static SpecAdmission admission() {
    CheckedKind<FlinkDeployment> deployments =
        new CheckedKind<>(
            FlinkDeployment.class,
            it -> {
              var check = DeploymentCheck.of(it, DefaultConfiguration.NONE);
              return new Verdict(check.violations(), check.ignored());
            });
    return new SpecAdmission(
        List.of(deployments), Set.of(), Set.of(), new KubernetesSerialization());
  }

  private static String change() throws Exception {
    ObjectNode object = ReviewJson.yaml(Files.readString(EVERY_FIELD));
    ObjectNode old = object.deepCopy();
    old.withObject("/spec").put("restartNonce", 4711);
    return ReviewJson.of("UPDATE", object, old, request -> {});
  }

  /**
   * Begun at their time, however long earlier ones take, but for those that wait for a connection;
   * each from its time until its answer.
   */
  private static double[] millis(HttpClient client, HttpRequest request, int seconds)
      throws Exception {
    ScheduledExecutorService senders = Executors.newScheduledThreadPool(CONNECTIONS);
    try {
      long begun = System.nanoTime();
      List<ScheduledFuture<Double>> sent =
          IntStream.range(0, seconds * PER_SECOND)
              .mapToLong(i -> TimeUnit.SECONDS.toNanos(i) / PER_SECOND)
              .mapToObj(
                  at ->
                      senders.schedule(
                          () -> took(client, request, begun + at),
                          begun + at - System.nanoTime(),
                          TimeUnit.NANOSECONDS))
              .toList();
      double[] took = new double[sent.size()];
      for (int i = 0; i < took.length; i++) {
        took[i] = sent.get(i).get(2, TimeUnit.MINUTES);
      }
      Arrays.sort(took);
      return took;
    } finally {
      senders.shutdownNow();
    }
  }

  private static double took(HttpClient client, HttpRequest request, long due) throws Exception {
    HttpResponse<String> answered = client.send(request, BodyHandlers.ofString());
    assertThat(answered.body()).contains("\"allowed\":true");
    return (System.nanoTime() - due) / 1e6;
  }

  private static double at(double[] sorted, int percent) {
    assertThat(sorted).isNotEmpty();
    return sorted[Math.max(0, Math.min(sorted.length - 1, sorted.length * percent / 100))];
  }
}
