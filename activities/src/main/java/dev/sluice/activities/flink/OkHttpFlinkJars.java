package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.activities.flink.FlinkJars.RunAnswer.JarMissing;
import dev.sluice.activities.flink.FlinkJars.RunAnswer.KnownAlready;
import dev.sluice.activities.flink.FlinkJars.RunAnswer.Refused;
import dev.sluice.activities.flink.FlinkJars.RunAnswer.Submitted;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.api.common.FlinkVersion;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import okhttp3.Dns;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.Request;
import okhttp3.RequestBody;

/** {@link FlinkJars} over OkHttp. One instance serves all clusters. */
public final class OkHttpFlinkJars implements FlinkJars {

  private static final MediaType JSON = MediaType.get("application/json");
  private static final MediaType JAR = MediaType.get("application/java-archive");

  /** Callers limit their starts: a run must not wait in a queue after it was noted as sent. */
  private static final int CALLS = 1000;

  /** For calls that move no jar and run no main method: a JobManager may hang after a start. */
  private static final Duration QUICK = FlinkRestOptions.defaults().callTimeout();

  /** The threads that run main methods, each its own, until Flink 2.2. */
  private static final String MAIN_METHODS = "flink-jar-runner";

  /**
   * In Flink's DuplicateJobSubmissionException, whether the job lives or has ended; Flink 2.3 calls
   * a job that is run from a jar an application.
   */
  private static final Pattern DUPLICATE =
      Pattern.compile("Duplicate(?:Job|Application)SubmissionException");

  private record Uploaded(@JsonProperty(required = true) String filename) {}

  private record Jars(@JsonProperty(required = true) List<UploadedJar> files) {}

  private record Started(@JsonProperty(required = true) String jobid) {}

  private record ThreadDump(@JsonProperty(required = true) List<Stack> threadInfos) {

    private record Stack(
        @JsonProperty(required = true) String threadName,
        @JsonProperty(required = true) String stringifiedThreadInfo) {

      /**
       * Also a submission whose main method may have given up waiting: Flink looks into the store
       * of results first, which may be slow.
       */
      boolean maySubmit() {
        return threadName.startsWith(MAIN_METHODS)
            || stringifiedThreadInfo.contains("JobResultStore");
      }
    }
  }

  private final FlinkHttp http;
  private final Duration quick;

  /**
   * @param tls for clusters that take TLS alone, as it is now
   * @param registry gets {@code sluice.flink.requests}
   */
  public OkHttpFlinkJars(
      FlinkRestOptions options, Supplier<Optional<RestTls>> tls, MeterRegistry registry) {
    this(new FlinkHttp(options, Dns.SYSTEM, tls, CALLS, registry), QUICK);
  }

  /** Without TLS, finding clusters ({@code <service>.<namespace>}) through this resolver. */
  public OkHttpFlinkJars(FlinkRestOptions options, Dns dns) {
    this(options, dns, RestTls.NONE, QUICK);
  }

  /**
   * @param quick how long a call may take that moves no jar and runs no main method
   */
  OkHttpFlinkJars(
      FlinkRestOptions options, Dns dns, Supplier<Optional<RestTls>> tls, Duration quick) {
    this(new FlinkHttp(options, dns, tls, CALLS, new SimpleMeterRegistry()), quick);
  }

  private OkHttpFlinkJars(FlinkHttp http, Duration quick) {
    this.http = http;
    this.quick = quick;
  }

  /**
   * Bounds for calls that upload a jar or run a main method: 2 s to connect.
   *
   * @param longest how long a call may take, which Apache's operator calls {@code
   *     kubernetes.operator.job.submission.timeout}, 10 min there
   */
  public static FlinkRestOptions options(Duration longest) {
    return new FlinkRestOptions(Duration.ofSeconds(2), longest, longest, 8L << 20, CALLS);
  }

  @Override
  public String upload(Endpoint cluster, Path jar, String name) {
    RequestBody form =
        new MultipartBody.Builder()
            .setType(MultipartBody.FORM)
            .addFormDataPart("jarfile", name, RequestBody.create(jar.toFile(), JAR))
            .build();
    Request request = new Request.Builder().url(cluster.url("jars", "upload")).post(form).build();
    return http.send(
        cluster,
        request,
        reply -> {
          String stored = reply.as(Uploaded.class).filename;
          return stored.substring(stored.lastIndexOf('/') + 1);
        });
  }

  @Override
  public List<UploadedJar> list(Endpoint cluster) {
    return List.copyOf(get(cluster, Jars.class, "jars").files);
  }

  @Override
  public RunAnswer run(Endpoint cluster, String jarId, JarRun run) {
    RequestBody body = RequestBody.create(run.json().toString(), JSON);
    Request request =
        new Request.Builder().url(cluster.url("jars", jarId, "run")).post(body).build();
    return http.send(cluster, request, reply -> answer(reply, jarId, run.jobId()));
  }

  @Override
  public void delete(Endpoint cluster, String jarId) {
    Request request = new Request.Builder().url(cluster.url("jars", jarId)).delete().build();
    boolean unused =
        http.send(cluster, request, quick, reply -> saysNoSuchJar(reply, jarId) || reply.isOk());
  }

  @Override
  public boolean maySubmit(Endpoint cluster) {
    ClusterOverview flink = get(cluster, ClusterOverview.class, "overview");
    return flink.version().filter(it -> !it.isAtLeast(FlinkVersion.V2_3)).isEmpty()
        || get(cluster, ThreadDump.class, "jobmanager", "thread-dump").threadInfos.stream()
            .anyMatch(ThreadDump.Stack::maySubmit);
  }

  private <T> T get(Endpoint cluster, Class<T> type, String... path) {
    Request request = new Request.Builder().url(cluster.url(path)).build();
    return http.send(cluster, request, quick, reply -> reply.as(type));
  }

  @Override
  public void close() {
    http.close();
  }

  private static RunAnswer answer(FlinkResponse reply, String jarId, String jobId) {
    if (reply.status() / 100 == 2) {
      String submitted = reply.as(Started.class).jobid;
      if (!submitted.equalsIgnoreCase(jobId)) {
        throw new IllegalArgumentException("started job " + submitted + " instead of " + jobId);
      }
      return new Submitted();
    }
    FlinkRestException failure = reply.failure();
    String why = String.valueOf(failure.getMessage());
    if (DUPLICATE.matcher(reply.body()).find()) {
      return new KnownAlready(why);
    }
    if (saysNoSuchJar(reply, jarId)) {
      return new JarMissing(why);
    }
    if (mayBeSubmitted(reply)) {
      throw failure;
    }
    if (failure instanceof Rejected || saysProgramFailed(reply)) {
      return new Refused(why);
    }
    throw failure;
  }

  /** "Jar file /x/flink-web-upload/uuid_job.jar does not exist", with 500, 404 or 400. */
  private static boolean saysNoSuchJar(FlinkResponse reply, String jarId) {
    return reply.status() / 100 != 2
        && reply.body().contains(jarId)
        && reply.body().contains("does not exist");
  }

  /**
   * The main method called its own Dispatcher, which did not answer within {@code client.timeout}
   * and may still run the job: "Invocation of [RemoteRpcInvocation(DispatcherGateway.submitJob(...
   * timed out", with 400 or 500.
   */
  private static boolean mayBeSubmitted(FlinkResponse reply) {
    return reply.body().contains("DispatcherGateway.submit");
  }

  /** What Flink answers with 500 although it is the program's fault. */
  private static boolean saysProgramFailed(FlinkResponse reply) {
    return reply.body().contains("ProgramInvocationException");
  }
}
