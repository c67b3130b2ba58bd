package dev.sluice.local.demo;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.summarizingLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * What the sample job says it counted: sums over its subtasks. While the job runs, the subtasks are
 * read a moment apart, so {@code total} and {@code lastSequence} of one reading need not match to
 * the element; {@code lost} and {@code doubled} are exact always, because each element is checked
 * when it is counted.
 *
 * @param total elements counted since the job's very first start
 * @param restored elements already counted in the state the running attempt started from; 0 without
 *     state
 * @param lost elements that were counted once and are missing in the state
 * @param doubled elements that were counted twice
 * @param keys keys that have a count
 * @param lastSequence highest sequence number counted, from 0; -1 before the first element
 */
public record Counts(
    long total, long restored, long lost, long doubled, long keys, long lastSequence) {
  private static final String OPERATOR = "counter";
  private static final List<String> GAUGES =
      List.of("total", "restored", "lost", "doubled", "keys", "lastSequence");
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The counts now, from Flink's REST API. Flink fetches metrics from the TaskManagers only when
   * someone asks, at most every {@code metrics.fetcher.update-interval} (10 s unless configured),
   * so the first answers after a start are empty: ask again.
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
      // a vertex is named after the operators chained in it: "counter -> sink: Writer"
      if (vertex.path("name").asText().matches(OPERATOR + "( -> .*)?")) {
        int parallelism = vertex.path("parallelism").asInt();
        String metrics =
            IntStream.range(0, parallelism)
                .boxed()
                .flatMap(task -> GAUGES.stream().map(it -> task + "." + OPERATOR + "." + it))
                .collect(joining(","));
        return of(
            parallelism,
            get(job + "/vertices/" + vertex.path("id").asText() + "/metrics?get=" + metrics));
      }
    }
    throw new IOException(job + " has no operator '" + OPERATOR + "': it is not the sample job");
  }

  /** Of {@code [{"id": "0.counter.total", "value": "17"}, ...]}. */
  static Optional<Counts> of(int parallelism, JsonNode metrics) {
    Map<String, LongSummaryStatistics> reported =
        StreamSupport.stream(metrics.spliterator(), false)
            .collect(
                groupingBy(
                    it -> it.path("id").asText().replaceAll(".*\\.", ""),
                    summarizingLong(it -> it.path("value").asLong())));
    Function<String, LongSummaryStatistics> gauge =
        name -> reported.getOrDefault(name, new LongSummaryStatistics());
    if (!GAUGES.stream().allMatch(name -> gauge.apply(name).getCount() == parallelism)) {
      return Optional.empty();
    }
    return Optional.of(
        new Counts(
            gauge.apply("total").getSum(),
            gauge.apply("restored").getSum(),
            gauge.apply("lost").getSum(),
            gauge.apply("doubled").getSum(),
            gauge.apply("keys").getSum(),
            gauge.apply("lastSequence").getMax()));
  }

  public boolean exact() {
    return lost == 0 && doubled == 0;
  }

  /**
   * What is wrong, when these were read from a job that goes on with the state of another.
   *
   * @param before read while the old job ran
   */
  public Optional<String> problemSince(Counts before) {
    if (!exact()) {
      return Optional.of("%d elements lost, %d counted twice".formatted(lost, doubled));
    }
    return restored >= before.total
        ? Optional.empty()
        : Optional.of(
            "the new job started from a state of %d elements, and the old one had counted %d"
                .formatted(restored, before.total));
  }

  public String line() {
    return "%,d elements counted over %d keys, lost=%d doubled=%d"
        .formatted(total, keys, lost, doubled);
  }

  private static JsonNode get(String url) throws IOException {
    URLConnection connection = URI.create(url).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream answer = connection.getInputStream()) {
      return JSON.readTree(answer);
    }
  }
}
