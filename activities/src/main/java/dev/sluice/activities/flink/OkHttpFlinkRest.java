package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.flink.Answers.Metric;
import dev.sluice.api.common.CheckpointType;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/** {@link FlinkRest} over OkHttp. One instance serves all clusters. */
public final class OkHttpFlinkRest implements FlinkRest {

  private static final MediaType JSON = MediaType.get("application/json");

  /** Of a call, with the time queued behind other calls to the same cluster. */
  private static final Duration AT_MOST = Duration.ofSeconds(15);

  private final FlinkHttp http;
  private final Duration atMost;

  /**
   * @param tls for clusters that take TLS alone, as it is now
   * @param registry gets {@code sluice.flink.requests}
   */
  public OkHttpFlinkRest(
      FlinkRestOptions options, Supplier<Optional<RestTls>> tls, MeterRegistry registry) {
    this(new FlinkHttp(options, Dns.SYSTEM, tls, 1, registry), AT_MOST);
  }

  /** Without TLS, finding clusters ({@code <service>.<namespace>}) through this resolver. */
  public OkHttpFlinkRest(FlinkRestOptions options, Dns dns) {
    this(options, dns, RestTls.NONE);
  }

  OkHttpFlinkRest(FlinkRestOptions options, Dns dns, Supplier<Optional<RestTls>> tls) {
    this(new FlinkHttp(options, dns, tls, 1, new SimpleMeterRegistry()), AT_MOST);
  }

  private OkHttpFlinkRest(FlinkHttp http, Duration atMost) {
    this.http = http;
    this.atMost = atMost;
  }

  @Override
  public FlinkRest within(Duration atMost) {
    return new OkHttpFlinkRest(http, atMost);
  }

  @Override
  public ClusterOverview overview(Endpoint cluster) {
    return get(cluster, ClusterOverview.class, "overview");
  }

  @Override
  public List<TaskManagerOverview> taskManagers(Endpoint cluster) {
    return get(cluster, Answers.TaskManagers.class, "taskmanagers").taskmanagers();
  }

  @Override
  public JobsOverview jobsOverview(Endpoint cluster) {
    return get(cluster, JobsOverview.class, "jobs", "overview");
  }

  @Override
  public Optional<Checkpoints> checkpoints(Endpoint cluster, String jobId) {
    return ofCheckpointing(cluster, Checkpoints.class, "jobs", jobId, "checkpoints");
  }

  @Override
  public Optional<Checkpoints.Completed> completedCheckpoint(
      Endpoint cluster, String jobId, long checkpointId) {
    String id = Long.toString(checkpointId);
    Request request = request(cluster.url("jobs", jobId, "checkpoints", "details", id));
    return send(
        cluster,
        request,
        reply ->
            !reply.notFound()
                    && reply.as(ObjectNode.class).path("status").asText().equals("COMPLETED")
                ? Optional.of(reply.as(Checkpoints.Completed.class))
                : Optional.empty());
  }

  @Override
  public OptionalLong stateSize(Endpoint cluster, String jobId) {
    long size =
        ofCheckpointing(cluster, ObjectNode.class, "jobs", jobId, "checkpoints")
            .map(it -> it.at("/latest/completed/state_size").asLong(-1))
            .orElse(-1L);
    return size < 0 ? OptionalLong.empty() : OptionalLong.of(size);
  }

  @Override
  public Optional<CheckpointSettings> checkpointSettings(Endpoint cluster, String jobId) {
    return ofCheckpointing(
        cluster, CheckpointSettings.class, "jobs", jobId, "checkpoints", "config");
  }

  @Override
  public Map<String, Long> metrics(Endpoint cluster, String jobId, List<String> names) {
    HttpUrl url = cluster.url("jobs", jobId, "metrics");
    Map<String, Long> values = new HashMap<>();
    for (Metric metric : metrics(cluster, with(url, "get", String.join(",", names)))) {
      metric.number().ifPresent(value -> values.put(metric.id(), (long) value));
    }
    return Map.copyOf(values);
  }

  private List<Metric> metrics(Endpoint cluster, HttpUrl url) {
    return send(cluster, request(url), reply -> List.of(reply.as(Metric[].class)));
  }

  @Override
  public OptionalDouble highest(Endpoint cluster, String jobId, String name) {
    HttpUrl ofJob = with(cluster.url("jobs", jobId, "metrics"), "get", name);
    OptionalDouble highest = highest(metrics(cluster, ofJob));
    return highest.isPresent()
        ? highest
        : vertices(cluster, jobId).keySet().stream()
            .flatMapToDouble(vertex -> ofVertex(cluster, jobId, vertex, name).stream())
            .max();
  }

  private OptionalDouble ofVertex(Endpoint cluster, String jobId, String vertex, String name) {
    HttpUrl url = cluster.url("jobs", jobId, "vertices", vertex, "subtasks", "metrics");
    String names =
        metrics(cluster, url).stream()
            .map(Metric::id)
            .filter(id -> id.equals(name) || id.endsWith("." + name))
            .collect(Collectors.joining(","));
    return names.isEmpty()
        ? OptionalDouble.empty()
        : highest(metrics(cluster, with(with(url, "get", names), "agg", "max")));
  }

  private static OptionalDouble highest(List<Metric> metrics) {
    return metrics.stream().flatMapToDouble(it -> it.number().stream()).max();
  }

  @Override
  public JobType jobType(Endpoint cluster, String jobId) {
    return get(cluster, Answers.JobPlan.class, "jobs", jobId, "plan").jobType();
  }

  @Override
  public Triggered triggerSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      SavepointFormat format) {
    ObjectNode body = body().put("cancel-job", false).put("formatType", format.name());
    // this one is spelled with a hyphen, the one of /stop in camel case; the wrong one is ignored
    if (targetDirectory != null) {
      body.put("target-directory", targetDirectory);
    }
    return trigger(cluster, triggerId, body, "jobs", jobId, "savepoints");
  }

  @Override
  public Triggered stopWithSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      boolean drain,
      SavepointFormat format) {
    ObjectNode body = body().put("drain", drain).put("formatType", format.name());
    if (targetDirectory != null) {
      body.put("targetDirectory", targetDirectory);
    }
    return trigger(cluster, triggerId, body, "jobs", jobId, "stop");
  }

  @Override
  public SavepointOperation savepointStatus(Endpoint cluster, String jobId, String triggerId) {
    return status(
        cluster,
        new SavepointOperation.Unknown(),
        it ->
            it.read(
                new SavepointOperation.InProgress(),
                SavepointOperation.Failed::new,
                taken ->
                    new SavepointOperation.Completed(
                        Objects.requireNonNull(taken.location(), "it has no location"))),
        cluster.url("jobs", jobId, "savepoints", triggerId));
  }

  @Override
  public Triggered triggerCheckpoint(
      Endpoint cluster, String jobId, String triggerId, CheckpointType type) {
    ObjectNode body = body().put("checkpointType", type.name());
    return trigger(cluster, triggerId, body, "jobs", jobId, "checkpoints");
  }

  @Override
  public CheckpointOperation checkpointStatus(Endpoint cluster, String jobId, String triggerId) {
    return status(
        cluster,
        new CheckpointOperation.Unknown(),
        it ->
            it.read(
                new CheckpointOperation.InProgress(),
                CheckpointOperation.Failed::new,
                taken ->
                    new CheckpointOperation.Completed(
                        Objects.requireNonNull(taken.checkpointId(), "it has no id"))),
        cluster.url("jobs", jobId, "checkpoints", triggerId));
  }

  @Override
  public void cancel(Endpoint cluster, String jobId) {
    HttpUrl url = with(cluster.url("jobs", jobId), "mode", "cancel");
    Request request = new Request.Builder().url(url).patch(json(body())).build();
    // 409: it has ended in another way
    boolean unused = send(cluster, request, reply -> reply.status() == 409 || reply.isOk());
  }

  @Override
  public JobExceptions exceptions(Endpoint cluster, String jobId, int most) {
    HttpUrl url =
        with(cluster.url("jobs", jobId, "exceptions"), "maxExceptions", Integer.toString(most));
    return send(cluster, request(url), reply -> reply.as(JobExceptions.class));
  }

  @Override
  public ResourceRequirements requirements(Endpoint cluster, String jobId) {
    return get(cluster, ResourceRequirements.class, "jobs", jobId, "resource-requirements");
  }

  @Override
  public ResourceRequirements require(Endpoint cluster, String jobId, ResourceRequirements wanted) {
    HttpUrl url = cluster.url("jobs", jobId, "resource-requirements");
    Request request =
        new Request.Builder().url(url).put(json(FlinkResponse.JSON.valueToTree(wanted))).build();
    return send(
        cluster,
        request,
        reply -> {
          if (reply.status() == 409) {
            // one that was sent before is still being carried out
            throw new FlinkRestException.Unreachable(
                String.valueOf(reply.failure().getMessage()), null);
          }
          ObjectNode unused = reply.as(ObjectNode.class);
          return wanted;
        });
  }

  @Override
  public Map<String, ResourceRequirements.Vertex> vertices(Endpoint cluster, String jobId) {
    Map<String, ResourceRequirements.Vertex> vertices = new TreeMap<>();
    get(cluster, Answers.Job.class, "jobs", jobId)
        .vertices()
        .forEach(it -> vertices.put(it.id(), it.vertex()));
    return vertices;
  }

  @Override
  public Triggered disposeSavepoint(Endpoint cluster, String savepointPath) {
    ObjectNode body = body().put("savepoint-path", savepointPath);
    return post(cluster, body, "savepoint-disposal");
  }

  @Override
  public DisposalOperation disposalStatus(Endpoint cluster, String triggerId) {
    return status(
        cluster,
        new DisposalOperation.Unknown(),
        it ->
            it.read(
                new DisposalOperation.InProgress(),
                DisposalOperation.Failed::new,
                deleted -> new DisposalOperation.Completed()),
        cluster.url("savepoint-disposal", triggerId));
  }

  @Override
  public void close() {
    http.close();
  }

  private <T> T get(Endpoint cluster, Class<T> type, String... path) {
    return send(cluster, request(cluster.url(path)), reply -> reply.as(type));
  }

  /**
   * @param unknown the result where Flink does not know it
   */
  private <T> T status(
      Endpoint cluster, T unknown, Function<Answers.Operation, T> read, HttpUrl url) {
    return send(
        cluster,
        request(url),
        reply -> reply.notFound() ? unknown : read.apply(reply.as(Answers.Operation.class)));
  }

  private static HttpUrl with(HttpUrl url, String name, String value) {
    return url.newBuilder().addQueryParameter(name, value).build();
  }

  /** Flink answers 404 both for a job it does not know and for one without checkpointing. */
  private <T> Optional<T> ofCheckpointing(Endpoint cluster, Class<T> type, String... path) {
    return send(
        cluster,
        request(cluster.url(path)),
        reply -> reply.saysNoCheckpointing() ? Optional.empty() : Optional.of(reply.as(type)));
  }

  private Triggered post(Endpoint cluster, ObjectNode body, String... path) {
    Request request = new Request.Builder().url(cluster.url(path)).post(json(body)).build();
    return send(cluster, request, reply -> reply.as(Triggered.class));
  }

  /**
   * Triggers under the caller's id. Flink before 1.16 ignores the id and makes one of its own, with
   * which a second call would start a second operation; that is refused here.
   */
  private Triggered trigger(Endpoint cluster, String triggerId, ObjectNode body, String... path) {
    Triggered triggered = post(cluster, body.put("triggerId", triggerId), path);
    if (!triggered.triggerId().equalsIgnoreCase(triggerId)) {
      throw new FlinkRestException.MalformedAnswer(
          cluster + " started an operation under another id than " + triggerId, null);
    }
    return triggered;
  }

  private <T> T send(Endpoint cluster, Request request, Function<FlinkResponse, T> read) {
    return http.send(cluster, request, atMost, read);
  }

  private static Request request(HttpUrl url) {
    return new Request.Builder().url(url).build();
  }

  private static ObjectNode body() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static RequestBody json(ObjectNode body) {
    return RequestBody.create(body.toString(), JSON);
  }
}
