package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The requests to Flink's REST API, as made with curl. */
final class FlinkApi {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private FlinkApi() {}

  /** Begins to stop a job with a savepoint; gives the id to ask with. */
  static String stop(String rest, String jobId) throws IOException {
    HttpRequest request =
        request(rest + "/jobs/" + jobId + "/stop")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"drain\":false}"))
            .build();
    return send(request).path("request-id").asText();
  }

  /**
   * Where the savepoint of a stop is.
   *
   * @return empty text while it is under way
   * @throws IOException when it failed, or Flink does not answer
   */
  static String savepoint(String rest, String jobId, String stop) throws IOException {
    JsonNode answer = get(rest + "/jobs/" + jobId + "/savepoints/" + stop);
    if (!answer.at("/operation/failure-cause").isMissingNode()) {
      throw new IOException("the savepoint failed: " + answer.at("/operation/failure-cause"));
    }
    return answer.at("/operation/location").asText();
  }

  /** Whether all tasks of a job run. */
  static boolean allTasksRun(String rest, String jobId) throws IOException {
    return allTasksRun(get(rest + "/jobs/" + jobId));
  }

  /**
   * @param job answer to {@code GET /jobs/:jobid}
   */
  static boolean allTasksRun(JsonNode job) {
    int wanted = 0;
    int running = 0;
    for (JsonNode vertex : job.path("vertices")) {
      wanted += vertex.path("parallelism").asInt();
      running += vertex.at("/tasks/RUNNING").asInt();
    }
    return job.path("state").asText().equals("RUNNING") && wanted > 0 && running == wanted;
  }

  /** When the job that ended last ended, in ms since the epoch by the JobManager's clock. */
  static long lastEnd(String rest) throws IOException {
    return lastEnd(get(rest + "/jobs/overview"));
  }

  /**
   * @param overview answer to {@code GET /jobs/overview}
   */
  static long lastEnd(JsonNode overview) {
    long last = 0;
    for (JsonNode job : overview.path("jobs")) {
      last = Math.max(last, job.path("end-time").asLong());
    }
    return last;
  }

  /** The text of any page, such as {@code /metrics}. */
  static String text(String url) throws IOException {
    return body(request(url).build());
  }

  private static JsonNode get(String url) throws IOException {
    return send(request(url).build());
  }

  private static JsonNode send(HttpRequest request) throws IOException {
    return JSON.readTree(body(request));
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
  }

  private static String body(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IOException(
            request.uri() + " answered " + response.statusCode() + ": " + response.body());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
