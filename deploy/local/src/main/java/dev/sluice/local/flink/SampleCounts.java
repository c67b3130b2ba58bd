package dev.sluice.local.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Reads the sample job's counts from Flink's REST API. */
public final class SampleCounts {

  private static final String OPERATOR = "counter";
  private static final List<String> GAUGES =
      List.of("total", "restored", "lost", "doubled", "keys", "lastSequence");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private SampleCounts() {}

  /**
   * The counts now. Flink fetches metrics from the TaskManagers only when someone asks, at most
   * every {@code metrics.fetcher.update-interval} (10 s unless configured), so the first answers
   * after a start are empty: ask again.
   *
   * @param restBaseUrl such as {@code http://127.0.1.10:8081}
   * @param jobId 32 hex digits
   * @return empty until every subtask has reported; a sum over some of them would look like loss
   * @throws IOException when Flink does not answer, does not know the job, or it is not the sample
   *     job
   */
  public static Optional<Counts> read(String restBaseUrl, String jobId) throws IOException {
    String job = restBaseUrl.replaceAll("/+$", "") + "/jobs/" + jobId;
    for (JsonNode vertex : get(job).path("vertices")) {
      if (isCounter(vertex.path("name").asText())) {
        int parallelism = vertex.path("parallelism").asInt();
        String metrics = String.join(",", metricNames(parallelism));
        return counts(
            parallelism,
            get(job + "/vertices/" + vertex.path("id").asText() + "/metrics?get=" + metrics));
      }
    }
    throw new IOException(job + " has no operator '" + OPERATOR + "': it is not the sample job");
  }

  /** A vertex is named after the operators chained in it: {@code counter -> sink: Writer}. */
  private static boolean isCounter(String vertexName) {
    return vertexName.equals(OPERATOR) || vertexName.startsWith(OPERATOR + " -> ");
  }

  private static List<String> metricNames(int parallelism) {
    return IntStream.range(0, parallelism)
        .boxed()
        .flatMap(subtask -> GAUGES.stream().map(gauge -> metricName(subtask, gauge)))
        .toList();
  }

  private static String metricName(int subtask, String gauge) {
    return subtask + "." + OPERATOR + "." + gauge;
  }

  /**
   * @param metrics {@code [{"id": "0.counter.total", "value": "17"}, ...]}
   */
  static Optional<Counts> counts(int parallelism, JsonNode metrics) {
    Map<String, Long> values = new HashMap<>();
    metrics.forEach(
        metric -> values.put(metric.path("id").asText(), metric.path("value").asLong()));
    if (!values.keySet().containsAll(metricNames(parallelism))) {
      return Optional.empty();
    }
    return Optional.of(
        new Counts(
            sum(parallelism, "total", values),
            sum(parallelism, "restored", values),
            sum(parallelism, "lost", values),
            sum(parallelism, "doubled", values),
            sum(parallelism, "keys", values),
            gauge(parallelism, "lastSequence", values).max().orElse(-1)));
  }

  private static long sum(int parallelism, String gauge, Map<String, Long> values) {
    return gauge(parallelism, gauge, values).sum();
  }

  private static LongStream gauge(int parallelism, String gauge, Map<String, Long> values) {
    return IntStream.range(0, parallelism)
        .mapToLong(subtask -> values.getOrDefault(metricName(subtask, gauge), 0L));
  }

  private static JsonNode get(String url) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(
            "GET " + url + " answered " + response.statusCode() + ": " + response.body());
      }
      return JSON.readTree(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while reading " + url, e);
    }
  }
}
