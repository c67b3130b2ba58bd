package dev.sluice.local.flink;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.node.container.FlinkImage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A JobManager and a TaskManager with two slots, real processes, with the sample job uploaded. */
final class SessionCluster implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path folder;
  private final String rest;
  private final FlinkProcess jobManager;
  private final FlinkProcess taskManager;

  private SessionCluster(
      Path folder, String rest, FlinkProcess jobManager, FlinkProcess taskManager) {
    this.folder = folder;
    this.rest = rest;
    this.jobManager = jobManager;
    this.taskManager = taskManager;
  }

  /** Starts both processes; they are up when the first request is answered. */
  static SessionCluster start(String imageName, Path folder) throws Exception {
    FlinkImage image = (FlinkImage) new FlinkImages().pull(imageName).orElseThrow();
    Map<String, String> config = config(folder);
    // a jar that lies there needs no upload
    Path uploads = Files.createDirectories(folder.resolve("web/flink-web-upload"));
    Files.copy(image.usrlib().get(0), uploads.resolve(ImageFiles.JOB));
    FlinkProcess jobManager =
        FlinkProcess.start(image, folder.resolve("jm"), config, Map.of(), List.of("jobmanager"));
    FlinkProcess taskManager =
        FlinkProcess.start(image, folder.resolve("tm"), config, Map.of(), List.of("taskmanager"));
    return new SessionCluster(
        folder, "http://127.0.0.1:" + config.get("rest.port"), jobManager, taskManager);
  }

  private static Map<String, String> config(Path folder) {
    Map<String, String> config = SmallFlinkConfig.standaloneMemory();
    config.putAll(SmallFlinkConfig.quick());
    config.put("taskmanager.numberOfTaskSlots", "2");
    config.put("jobmanager.rpc.address", "127.0.0.1");
    config.put("jobmanager.rpc.port", Integer.toString(FreePorts.next()));
    config.put("rest.address", "127.0.0.1");
    config.put("rest.port", Integer.toString(FreePorts.next()));
    config.put("web.upload.dir", folder.resolve("web").toString());
    config.put("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    config.put("restart-strategy.type", "disable");
    // for so long, a job whose slots cannot be had waits for them
    config.put("resourcemanager.standalone.start-up-time", "3600000");
    return config;
  }

  void awaitReady() {
    await()
        .atMost(60, SECONDS)
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(get("/overview").path("slots-available").asInt()).isEqualTo(2));
  }

  Path folder() {
    return folder;
  }

  /** Submits the sample job; returns its id. */
  String run(int parallelism, String savepoint, String... flags) throws Exception {
    return run(Map.of(), parallelism, savepoint, flags);
  }

  /** Submits the sample job with configuration of its own; returns its id. */
  String run(Map<String, String> config, int parallelism, String savepoint, String... flags)
      throws Exception {
    HttpResponse<String> response = tryToRun(config, parallelism, savepoint, flags);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body()).path("jobid").asText();
  }

  HttpResponse<String> tryToRun(
      Map<String, String> config, int parallelism, String savepoint, String... flags)
      throws Exception {
    var body = JSON.createObjectNode().put("parallelism", parallelism);
    body.put("jobId", UUID.randomUUID().toString().replace("-", ""));
    var args = body.putArray("programArgsList");
    for (String flag : flags) {
      args.add(flag);
    }
    config.forEach(body.putObject("flinkConfiguration")::put);
    if (!savepoint.isEmpty()) {
      body.put("savepointPath", savepoint);
    }
    return post("/jars/" + ImageFiles.JOB + "/run", body);
  }

  String state(String job) throws IOException {
    return get("/jobs/" + job + "/status").path("status").asText();
  }

  /** The job's entry of {@code /jobs/overview}: its state and the states of its tasks. */
  JobOverview overview(String job) throws IOException {
    for (JsonNode entry : get("/jobs/overview").path("jobs")) {
      if (entry.path("jid").asText().equals(job)) {
        return JobOverview.of(entry);
      }
    }
    throw new IOException("No job " + job);
  }

  void awaitOverview(String job, JobOverview expected) {
    awaitOverview(job, Predicate.isEqual(expected));
  }

  void awaitOverview(String job, Predicate<JobOverview> expected) {
    await().atMost(60, SECONDS).until(() -> overview(job), expected);
  }

  boolean deletesCheckpointsOnCancellation(String job) throws IOException {
    return get("/jobs/" + job + "/checkpoints/config")
        .at("/externalization/delete_on_cancellation")
        .asBoolean();
  }

  String exceptions(String job) throws IOException {
    return get("/jobs/" + job + "/exceptions").toString();
  }

  /** Waits until the job, in all its subtasks, has counted more than this. */
  Counts awaitCounts(String job, long more) {
    AtomicReference<Counts> seen = new AtomicReference<>();
    await()
        .atMost(60, SECONDS)
        .ignoreException(IOException.class)
        .until(
            () -> {
              Counts.read(rest, job).ifPresent(seen::set);
              return seen.get() != null && seen.get().total() > more;
            });
    return seen.get();
  }

  /** Stops the job; returns where its savepoint is. */
  String stopWithSavepoint(String job) throws Exception {
    String trigger =
        trigger(
            "/jobs/" + job + "/stop",
            JSON.createObjectNode()
                .put("drain", false)
                .put("targetDirectory", folder.resolve("savepoints").toUri().toString()));
    await().atMost(60, SECONDS).until(() -> savepointStatus(job, trigger).equals("COMPLETED"));
    JsonNode operation = get("/jobs/" + job + "/savepoints/" + trigger).path("operation");
    assertThat(operation.path("location").asText()).as(operation.toString()).isNotEmpty();
    return operation.path("location").asText();
  }

  /** Asks for a savepoint; returns the trigger's id. */
  String triggerSavepoint(String job) throws Exception {
    return trigger(
        "/jobs/" + job + "/savepoints",
        JSON.createObjectNode()
            .put("target-directory", folder.resolve("savepoints").toUri().toString()));
  }

  String savepointStatus(String job, String trigger) throws IOException {
    return get("/jobs/" + job + "/savepoints/" + trigger).path("status").path("id").asText();
  }

  /** Why a savepoint failed; empty when it did not, or is in progress. */
  String savepointFailure(String job, String trigger) throws IOException {
    return get("/jobs/" + job + "/savepoints/" + trigger)
        .at("/operation/failure-cause/stack-trace")
        .asText();
  }

  void cancel(String job) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(rest + "/jobs/" + job))
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build();
    HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    await().atMost(60, SECONDS).until(() -> state(job).equals("CANCELED"));
  }

  private String trigger(String path, JsonNode body) throws Exception {
    HttpResponse<String> response = post(path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    return JSON.readTree(response.body()).path("request-id").asText();
  }

  private HttpResponse<String> post(String path, JsonNode body) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(rest + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws IOException {
    try {
      HttpResponse<String> response =
          HTTP.send(
              HttpRequest.newBuilder(URI.create(rest + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      return JSON.readTree(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    taskManager.close();
    jobManager.close();
  }
}
