package dev.sluice.activities.flink;

import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.FlinkJobState;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** The sample job on a session cluster: two tasks, {@code sequence} and {@code counter}. */
public record SampleJob(FlinkCluster cluster, String id) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Flink answers late where a whole build keeps the machine busy. */
  private static final OkHttpClient HTTP =
      new OkHttpClient.Builder().readTimeout(ofMinutes(2)).build();

  /** Configuration of a job that stays RESTARTING when it fails. */
  public static final Map<String, String> RESTARTS_LATER =
      Map.of(
          "restart-strategy.type", "fixed-delay",
          "restart-strategy.fixed-delay.attempts", "1000",
          "restart-strategy.fixed-delay.delay", "1h");

  /** 32 hexadecimal digits that nobody used before. */
  public static String newId() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  public static SampleJob submit(FlinkCluster cluster, String... args) {
    return submit(cluster, null, Map.of(), args);
  }

  /** Submits it under a new id, restored from a savepoint if there is one. */
  public static SampleJob submit(
      FlinkCluster cluster,
      @Nullable String savepoint,
      Map<String, String> configuration,
      String... args) {
    String id = newId();
    ObjectNode body = JSON.createObjectNode().put("jobId", id);
    body.set("programArgsList", JSON.valueToTree(args));
    body.set("flinkConfiguration", JSON.valueToTree(configuration));
    if (savepoint != null) {
      body.put("savepointPath", savepoint);
    }
    RequestBody json = RequestBody.create(body.toString(), MediaType.get("application/json"));
    ask(
        cluster,
        new Request.Builder().url(url(cluster) + "/jars/" + jar(cluster) + "/run").post(json));
    return new SampleJob(cluster, id);
  }

  /** Waits until every task runs. */
  public SampleJob running() {
    await().atMost(ofMinutes(2)).until(() -> overview().isUp());
    return this;
  }

  /** Waits until it is in this state. */
  public SampleJob in(FlinkJobState state) {
    await().atMost(ofMinutes(2)).until(() -> overview().state() == state);
    return this;
  }

  /** Waits until a task has its part of the newest checkpoint or savepoint: all know of it then. */
  SampleJob acknowledging() {
    await()
        .atMost(ofMinutes(1))
        .until(
            () ->
                ask(
                            cluster,
                            new Request.Builder()
                                .url(url(cluster) + "/jobs/" + id + "/checkpoints"))
                        .at("/history/0/num_acknowledged_subtasks")
                        .asInt()
                    > 0);
    return this;
  }

  public JobOverview overview() {
    return cluster.rest().jobsOverview(cluster.endpoint()).job(id).orElseThrow();
  }

  /** {@code GET /jobs/:id} as Flink answers it, from its cache. */
  JsonNode cachedPage() {
    return ask(cluster, new Request.Builder().url(url(cluster) + "/jobs/" + id));
  }

  /** Whether a main method waits, as its arguments say. */
  static boolean isInMain(FlinkCluster cluster) {
    return ask(cluster, new Request.Builder().url(url(cluster) + "/jobmanager/thread-dump"))
        .toString()
        .contains("FaultOptions.inMain");
  }

  private static String jar(FlinkCluster cluster) {
    RequestBody form =
        new MultipartBody.Builder()
            .setType(MultipartBody.FORM)
            .addFormDataPart(
                "jarfile",
                "job.jar",
                RequestBody.create(file(), MediaType.get("application/java-archive")))
            .build();
    JsonNode answer =
        ask(cluster, new Request.Builder().url(url(cluster) + "/jars/upload").post(form));
    return Path.of(answer.path("filename").asText()).getFileName().toString();
  }

  /** The jar. */
  public static File file() {
    String property = System.getProperty("sample.job.jar");
    return new File(Objects.requireNonNull(property, "sample.job.jar is not set"));
  }

  private static String url(FlinkCluster cluster) {
    return "http://127.0.0.1:" + cluster.endpoint().port();
  }

  private static JsonNode ask(FlinkCluster cluster, Request.Builder request) {
    try (Response response = HTTP.newCall(request.build()).execute()) {
      String body = response.body().string();
      if (!response.isSuccessful()) {
        throw new AssertionError(cluster + " answered " + response.code() + ": " + body);
      }
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
