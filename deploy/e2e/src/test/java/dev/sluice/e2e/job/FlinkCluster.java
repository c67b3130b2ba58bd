package dev.sluice.e2e.job;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What really runs: pods, and what Flink says. */
public final class FlinkCluster {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int TIMEOUT_MS = 5000;
  private static final String BOUNDARY = "the-end-of-a-part";

  private final TestCluster cluster;
  private final String namespace;
  private final String name;
  private final FlinkPods pods;

  FlinkCluster(TestCluster cluster, String namespace, String name) {
    this(cluster, namespace, name, FlinkPods.ofDeployment(cluster, namespace, name));
  }

  FlinkCluster(TestCluster cluster, String namespace, String name, FlinkPods pods) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.name = name;
    this.pods = pods;
  }

  /** Its pods, those that end too. */
  public List<Pod> pods() {
    return pods.all();
  }

  /** The pod of the JobManager. */
  public Optional<Pod> jobManager() {
    return pods.one("jobmanager");
  }

  /** The pod of a TaskManager. */
  public Optional<Pod> taskManager() {
    return pods.one("taskmanager");
  }

  /** The jobs that Flink knows, as soon as it answers: id and state, as {@code 0a1b.. RUNNING}. */
  public List<String> jobs() {
    return overview().stream().map(it -> it.id() + " " + it.state()).toList();
  }

  /** The jobs that Flink knows, as soon as it answers. */
  public List<FlinkJob> overview() {
    return untilAnswered(() -> Optional.of(askForJobs()));
  }

  private List<FlinkJob> askForJobs() throws IOException {
    List<FlinkJob> jobs = new ArrayList<>();
    get("/jobs/overview").path("jobs").forEach(it -> jobs.add(FlinkJob.of(it)));
    return jobs;
  }

  /** Where the running job says it was restored from; empty when it was not. */
  public String restored() {
    return untilAnswered(() -> Optional.of(askForRestored(jobId())));
  }

  /** The same of one job of several. */
  public String restored(String jobId) {
    return untilAnswered(() -> Optional.of(askForRestored(jobId)));
  }

  private String askForRestored(String jobId) throws IOException {
    JsonNode latest = get("/jobs/" + jobId + "/checkpoints").path("latest");
    return latest.path("restored").path("external_path").asText("");
  }

  /** How many checkpoints the running job has completed since it was started. */
  public int completedCheckpoints() {
    return untilAnswered(() -> Optional.of(countCompleted(jobId())));
  }

  /** The same of one job of several. */
  public int completedCheckpoints(String jobId) {
    return untilAnswered(() -> Optional.of(countCompleted(jobId)));
  }

  private int countCompleted(String jobId) throws IOException {
    return get("/jobs/" + jobId + "/checkpoints").path("counts").path("completed").asInt();
  }

  /**
   * Whether the running job has completed a checkpoint since it was started, and since then no
   * savepoint.
   */
  public boolean hasNewestCheckpoint() {
    return untilAnswered(
        () -> {
          JsonNode latest = get("/jobs/" + jobId() + "/checkpoints").path("latest");
          int checkpoint = latest.path("completed").path("id").asInt();
          return Optional.of(checkpoint > latest.path("savepoint").path("id").asInt());
        });
  }

  /** How many savepoints of the running job are in progress. */
  public int savepointsInProgress() {
    return untilAnswered(
        () -> {
          int found = 0;
          for (JsonNode each : get("/jobs/" + jobId() + "/checkpoints").path("history")) {
            boolean open = each.path("status").asText().equals("IN_PROGRESS");
            found += open && each.path("is_savepoint").asBoolean() ? 1 : 0;
          }
          return Optional.of(found);
        });
  }

  /** The configuration that Flink says it has. */
  public String configuration(String key) {
    return untilAnswered(
        () -> {
          for (JsonNode entry : get("/jobmanager/config")) {
            if (entry.path("key").asText().equals(key)) {
              return Optional.of(entry.path("value").asText());
            }
          }
          return Optional.of("");
        });
  }

  /** How many TaskManagers are registered. */
  public int taskManagers() {
    return untilAnswered(() -> Optional.of(get("/overview").path("taskmanagers").asInt()));
  }

  /** The largest parallelism of an operator of the running job. */
  public int parallelism() {
    return untilAnswered(
        () -> {
          int largest = 0;
          for (JsonNode vertex : get("/jobs/" + jobId()).path("vertices")) {
            largest = Math.max(largest, vertex.path("parallelism").asInt());
          }
          return Optional.of(largest);
        });
  }

  /** The counts, as soon as every task tells them. */
  public Counts counts() {
    return untilAnswered(() -> Counts.read(url(), jobId()).filter(it -> it.total() > 0));
  }

  /** The counts of one job of several, as soon as every task tells them. */
  public Counts counts(String jobId) {
    return untilAnswered(() -> Counts.read(url(), jobId).filter(it -> it.total() > 0));
  }

  /** Runs a jar on a session cluster, as a person does in Flink's web interface; its job's id. */
  public String runJar(Path jar, String... args) throws IOException, InterruptedException {
    JsonNode uploaded =
        post("/jars/upload", "multipart/form-data; boundary=" + BOUNDARY, part(jar));
    String id = Path.of(uploaded.path("filename").asText()).getFileName().toString();
    return run(id, JSON.createObjectNode(), args);
  }

  /** Runs a jar that the image of the cluster has; its job's id. */
  public String runJar(String jar, String entryClass, String... args)
      throws IOException, InterruptedException {
    return run(jar, JSON.createObjectNode().put("entryClass", entryClass), args);
  }

  private String run(String jar, ObjectNode body, String... args)
      throws IOException, InterruptedException {
    List.of(args).forEach(body.putArray("programArgsList")::add);
    return post("/jars/" + jar + "/run", "application/json", JSON.writeValueAsBytes(body))
        .path("jobid")
        .asText();
  }

  private static byte[] part(Path jar) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        """
        --%s\r
        Content-Disposition: form-data; name="jarfile"; filename="%s"\r
        Content-Type: application/x-java-archive\r
        \r
        """
            .formatted(BOUNDARY, jar.getFileName())
            .getBytes(StandardCharsets.UTF_8));
    body.writeBytes(Files.readAllBytes(jar));
    body.writeBytes("\r\n--%s--\r\n".formatted(BOUNDARY).getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }

  private JsonNode post(String path, String type, byte[] body)
      throws IOException, InterruptedException {
    return JSON.readTree(send("POST", path, type, body));
  }

  private String send(String method, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url() + path))
                    .timeout(PATIENCE)
                    .header("Content-Type", type)
                    .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("Flink answered %d: %s".formatted(answer.statusCode(), answer.body()));
    }
    return answer.body();
  }

  /** Cancels the running job, as a person does in Flink's web interface. */
  public void cancelJob() throws IOException, InterruptedException {
    String path = "/jobs/" + knownJobId() + "?mode=cancel";
    String unused = send("PATCH", path, "application/json", new byte[0]);
  }

  /** Stops the running job with a savepoint, as a person does with Flink's command: it finishes. */
  public void stopJob() throws IOException, InterruptedException {
    String path = "/jobs/" + knownJobId() + "/stop";
    String unused = send("POST", path, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
  }

  /** The log of the JobManager's process that runs now; empty before one has started. */
  public String jobManagerLog() {
    return jobManager()
        .filter(FlinkCluster::hasStarted)
        .map(
            pod ->
                cluster
                    .kubectl()
                    .run("logs", "-n", namespace, pod.getMetadata().getName(), "--tail=-1"))
        .orElse("");
  }

  /** Before, there is no log to ask for. */
  private static boolean hasStarted(Pod pod) {
    return wasRestarted(pod)
        || pod.getStatus().getContainerStatuses().stream()
            .anyMatch(container -> container.getState().getWaiting() == null);
  }

  private static boolean wasRestarted(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .anyMatch(container -> container.getRestartCount() > 0);
  }

  /** An annotation of the JobManager Deployment; empty when there is none. */
  public String annotation(String key) {
    return cluster
        .kubernetes()
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName(name)
        .get()
        .getMetadata()
        .getAnnotations()
        .getOrDefault(key, "");
  }

  /** Kills the JobManager's process without a warning. */
  public void killJobManager() {
    TestCluster.kill(
        jobManager().orElseThrow(() -> new AssertionError(name + " has no JobManager")));
  }

  /** Everything on Kubernetes that belongs to it, as {@code kind/name}. */
  public List<String> objects() {
    List<HasMetadata> found = new ArrayList<>(pods());
    var kubernetes = cluster.kubernetes();
    found.addAll(kubernetes.apps().deployments().inNamespace(namespace).list().getItems());
    found.addAll(kubernetes.apps().replicaSets().inNamespace(namespace).list().getItems());
    found.addAll(kubernetes.services().inNamespace(namespace).list().getItems());
    found.addAll(kubernetes.configMaps().inNamespace(namespace).list().getItems());
    return found.stream()
        .filter(it -> it.getMetadata().getName().matches("(.*-)?" + name + "(-.*)?"))
        .map(it -> it.getKind() + "/" + it.getMetadata().getName())
        .distinct()
        .toList();
  }

  private String knownJobId() {
    return untilAnswered(() -> Optional.of(jobId()));
  }

  private String jobId() throws IOException {
    List<FlinkJob> jobs = askForJobs();
    if (jobs.size() != 1) {
      throw new IOException("there is not one job but " + jobs);
    }
    return jobs.get(0).id();
  }

  String url() throws IOException {
    return jobManager()
        .map(pod -> pod.getStatus().getPodIP())
        .map(ip -> "http://" + ip + ":8081")
        .orElseThrow(() -> new IOException(name + " has no JobManager"));
  }

  JsonNode get(String path) throws IOException {
    URLConnection connection = URI.create(url() + path).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (InputStream answer = connection.getInputStream()) {
      return JSON.readTree(answer);
    }
  }

  private interface Question<T> {
    Optional<T> ask() throws IOException;
  }

  private static <T> T untilAnswered(Question<T> question) {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(question::ask, Optional::isPresent)
        .orElseThrow();
  }
}
