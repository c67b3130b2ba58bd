package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.CheckpointType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
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

  public OkHttpFlinkRest(FlinkRestOptions options) {
    this(options, Dns.SYSTEM);
  }

  /** A client that finds clusters ({@code <service>.<namespace>}) through this resolver. */
  public OkHttpFlinkRest(FlinkRestOptions options, Dns dns) {
    this(new FlinkHttp(options, dns, 1), AT_MOST);
  }

  private OkHttpFlinkRest(FlinkHttp http, Duration atMost) {
    this.http = http;
    this.atMost = atMost;
  }

  @Override
  public FlinkRest within(Duration atMost) {
    return new OkHttpFlinkRest(http, atMost);
  }

  /** How many requests all clusters got so far, answered or not; for metrics. */
  public long calls() {
    return http.calls();
  }

  @Override
  public ClusterOverview overview(Endpoint cluster) {
    return get(cluster, OverviewAnswers::cluster, "overview");
  }

  @Override
  public List<TaskManagerOverview> taskManagers(Endpoint cluster) {
    return get(cluster, OverviewAnswers::taskManagers, "taskmanagers");
  }

  @Override
  public JobsOverview jobsOverview(Endpoint cluster) {
    return get(cluster, OverviewAnswers::jobs, "jobs", "overview");
  }

  @Override
  public Optional<Checkpoints> checkpoints(Endpoint cluster, String jobId) {
    return ofCheckpointing(cluster, CheckpointAnswers::checkpoints, "jobs", jobId, "checkpoints");
  }

  @Override
  public Optional<Checkpoints.Completed> completedCheckpoint(
      Endpoint cluster, String jobId, long checkpointId) {
    String id = Long.toString(checkpointId);
    return status(
        cluster,
        Optional.empty(),
        CheckpointAnswers::ifCompleted,
        cluster.url("jobs", jobId, "checkpoints", "details", id));
  }

  @Override
  public CheckpointProgress checkpointProgress(Endpoint cluster, String jobId) {
    return ofCheckpointing(cluster, CheckpointAnswers::progress, "jobs", jobId, "checkpoints")
        .orElse(CheckpointProgress.NONE);
  }

  @Override
  public Optional<CheckpointSettings> checkpointSettings(Endpoint cluster, String jobId) {
    return ofCheckpointing(
        cluster, CheckpointAnswers::settings, "jobs", jobId, "checkpoints", "config");
  }

  @Override
  public Map<String, Long> metrics(Endpoint cluster, String jobId, List<String> names) {
    HttpUrl url = with(cluster.url("jobs", jobId, "metrics"), "get", String.join(",", names));
    return send(cluster, request(url), reply -> MetricAnswers.values(reply.okList()));
  }

  @Override
  public OptionalDouble highest(Endpoint cluster, String jobId, String name) {
    HttpUrl ofJob = with(cluster.url("jobs", jobId, "metrics"), "get", name);
    OptionalDouble highest =
        send(cluster, request(ofJob), reply -> MetricAnswers.highest(reply.okList(), "value"));
    if (highest.isPresent()) {
      return highest;
    }
    for (String vertex : vertices(cluster, jobId).keySet()) {
      highest = MetricAnswers.higher(highest, ofVertex(cluster, jobId, vertex, name));
    }
    return highest;
  }

  private OptionalDouble ofVertex(Endpoint cluster, String jobId, String vertex, String name) {
    HttpUrl metrics = cluster.url("jobs", jobId, "vertices", vertex, "subtasks", "metrics");
    List<String> names =
        send(cluster, request(metrics), reply -> MetricAnswers.names(reply.okList(), name));
    if (names.isEmpty()) {
      return OptionalDouble.empty();
    }
    HttpUrl url = with(with(metrics, "get", String.join(",", names)), "agg", "max");
    return send(cluster, request(url), reply -> MetricAnswers.highest(reply.okList(), "max"));
  }

  @Override
  public JobType jobType(Endpoint cluster, String jobId) {
    return get(cluster, OverviewAnswers::type, "jobs", jobId, "plan");
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
        OperationAnswers::savepoint,
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
        OperationAnswers::checkpoint,
        cluster.url("jobs", jobId, "checkpoints", triggerId));
  }

  @Override
  public void cancel(Endpoint cluster, String jobId) {
    HttpUrl url = with(cluster.url("jobs", jobId), "mode", "cancel");
    Request request = new Request.Builder().url(url).patch(json(body())).build();
    // 409: it has ended in another way
    boolean unused = send(cluster, request, reply -> reply.status() == 409 || reply.ok() != null);
  }

  @Override
  public JobExceptions exceptions(Endpoint cluster, String jobId, int most) {
    HttpUrl url =
        with(cluster.url("jobs", jobId, "exceptions"), "maxExceptions", Integer.toString(most));
    return send(cluster, request(url), reply -> OverviewAnswers.exceptions(reply.ok()));
  }

  @Override
  public ResourceRequirements requirements(Endpoint cluster, String jobId) {
    return get(cluster, ResourceRequirements::of, "jobs", jobId, "resource-requirements");
  }

  @Override
  public ResourceRequirements require(Endpoint cluster, String jobId, ResourceRequirements wanted) {
    HttpUrl url = cluster.url("jobs", jobId, "resource-requirements");
    Request request = new Request.Builder().url(url).put(json(wanted.toJson())).build();
    return send(
        cluster,
        request,
        reply -> {
          if (reply.status() == 409) {
            // one that was sent before is still being carried out
            throw new FlinkRestException.Unreachable(
                String.valueOf(reply.failure().getMessage()), null);
          }
          reply.ok();
          return wanted;
        });
  }

  @Override
  public Map<String, ResourceRequirements.Vertex> vertices(Endpoint cluster, String jobId) {
    return get(cluster, ResourceRequirements::vertices, "jobs", jobId);
  }

  @Override
  public Triggered disposeSavepoint(Endpoint cluster, String savepointPath) {
    ObjectNode body = body().put("savepoint-path", savepointPath);
    return post(cluster, body, OperationAnswers::triggered, "savepoint-disposal");
  }

  @Override
  public DisposalOperation disposalStatus(Endpoint cluster, String triggerId) {
    return status(
        cluster,
        new DisposalOperation.Unknown(),
        OperationAnswers::disposal,
        cluster.url("savepoint-disposal", triggerId));
  }

  @Override
  public void close() {
    http.close();
  }

  private <T> T get(Endpoint cluster, Function<FlinkJson, T> read, String... path) {
    return send(cluster, request(cluster.url(path)), reply -> read.apply(reply.ok()));
  }

  /**
   * @param unknown the result where Flink does not know it
   */
  private <T> T status(Endpoint cluster, T unknown, Function<FlinkJson, T> read, HttpUrl url) {
    return send(
        cluster, request(url), reply -> reply.notFound() ? unknown : read.apply(reply.ok()));
  }

  private static HttpUrl with(HttpUrl url, String name, String value) {
    return url.newBuilder().addQueryParameter(name, value).build();
  }

  /** Flink answers 404 both for a job it does not know and for one without checkpointing. */
  private <T> Optional<T> ofCheckpointing(
      Endpoint cluster, Function<FlinkJson, T> read, String... path) {
    return send(
        cluster,
        request(cluster.url(path)),
        reply ->
            reply.saysNoCheckpointing() ? Optional.empty() : Optional.of(read.apply(reply.ok())));
  }

  private <T> T post(
      Endpoint cluster, ObjectNode body, Function<FlinkJson, T> read, String... path) {
    Request request = new Request.Builder().url(cluster.url(path)).post(json(body)).build();
    return send(cluster, request, reply -> read.apply(reply.ok()));
  }

  /**
   * Triggers under the caller's id. Flink before 1.16 ignores the id and makes one of its own, with
   * which a second call would start a second operation; that is refused here.
   */
  private Triggered trigger(Endpoint cluster, String triggerId, ObjectNode body, String... path) {
    return post(
        cluster,
        body.put("triggerId", triggerId),
        answer -> {
          Triggered triggered = OperationAnswers.triggered(answer);
          if (!triggered.triggerId().equalsIgnoreCase(triggerId)) {
            throw new IllegalArgumentException(
                "started an operation under another id than " + triggerId);
          }
          return triggered;
        },
        path);
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
