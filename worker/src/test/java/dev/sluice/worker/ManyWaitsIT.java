package dev.sluice.worker;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.uber.m3.tally.NoopScope;
import dev.sluice.activities.async.BlockingWatcher;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.bootstrap.Settings;
import dev.sluice.bootstrap.TemporalConnection;
import dev.sluice.testing.TemporalServer;
import dev.sluice.worker.Kinds.Kind;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.TaskQueues;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thousand upgrades that wait for their Flink in one worker, as docs/performance.md says. */
@Tag("bench")
class ManyWaitsIT {

  private static final String KUBERNETES = "kubernetes-1";
  private static final WorkerSettings SETTINGS = WorkerSettings.from(new Settings(Map.of()));
  private static final int WAITING = 1_000 - 1; // one is left for the next

  /** An effect, then a wait. */
  @ActivityInterface
  public interface Steps {
    void create(ResourceRef resource);

    void awaitRunning(ResourceRef resource);
  }

  /** The part of an upgrade that is measured. */
  @WorkflowInterface
  public interface Upgrade {
    @WorkflowMethod(name = "MeasuredUpgrade")
    void run(ResourceRef resource);
  }

  /** With the timeouts that the steps have. */
  public static final class UpgradeImpl implements Upgrade {
    private final Steps effects =
        Workflow.newActivityStub(
            Steps.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(ofSeconds(10)).build());
    private final Steps waits =
        Workflow.newActivityStub(
            Steps.class,
            ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.waits(Workflow.getInfo().getTaskQueue()))
                .setScheduleToCloseTimeout(ofMinutes(30))
                .setHeartbeatTimeout(ofSeconds(8))
                .build());

    @Override
    public void run(ResourceRef resource) {
      effects.create(resource);
      waits.awaitRunning(resource);
    }
  }

  @TempDir private Path folder;
  private TemporalServer server;
  private TemporalConnection temporal;
  private HttpServer jobManagers;
  private OkHttpFlinkRest flink;
  private BlockingWatcher watcher;
  private WorkerFactory worker;

  @BeforeEach
  void start() throws IOException {
    server = TemporalServer.start(folder.resolve("temporal.log"), List.of());
    temporal =
        TemporalConnection.of(
            Map.of("TEMPORAL_ADDRESS", server.address()),
            ofSeconds(10),
            ofMinutes(1),
            new NoopScope());
    jobManagers =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    jobManagers.setExecutor(Executors.newFixedThreadPool(4));
    byte[] none = "{\"jobs\":[]}".getBytes(StandardCharsets.UTF_8);
    jobManagers.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, none.length);
          exchange.getResponseBody().write(none);
          exchange.close();
        });
    jobManagers.start();
    flink =
        new OkHttpFlinkRest(
            FlinkRestOptions.defaults(), host -> List.of(InetAddress.getLoopbackAddress()));
    watcher =
        new BlockingWatcher(temporal.client().newActivityCompletionClient(), WaitReporter.NONE);
    worker =
        TemporalWorker.create(
            temporal,
            SETTINGS,
            KUBERNETES,
            List.of(
                new Kind(
                    FlinkDeployment.class,
                    WaitReporter.NONE,
                    List.of(UpgradeImpl.class),
                    List.of(new Measured()))));
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.shutdownNow();
    watcher.close();
    flink.close();
    jobManagers.stop(0);
    temporal.close();
    server.close();
  }

  private final class Measured implements Steps {
    @Override
    public void create(ResourceRef resource) {}

    @Override
    public void awaitRunning(ResourceRef resource) {
      boolean ready = resource.name().startsWith("next");
      Endpoint endpoint =
          new Endpoint(
              new ClusterRef("default", resource.name()), jobManagers.getAddress().getPort());
      Void unused =
          watcher.watch(
              Wait.<Void>acting(
                  endpoint.toString(),
                  "the job of " + endpoint + " to run",
                  System.currentTimeMillis() + ofMinutes(20).toMillis(),
                  guard -> {
                    int jobs = flink.jobsOverview(endpoint).jobs().size();
                    return ready ? ProbeResult.done(null) : ProbeResult.notYet(jobs + " jobs");
                  }));
    }
  }

  @Test
  void aThousandWaitAndTheNextIsServedAtOnce() {
    // given
    long began = System.nanoTime();
    List<WorkflowStub> all =
        IntStream.range(0, WAITING).mapToObj(i -> begin("orders-" + i)).toList();
    await().until(() -> watcher.open() == WAITING);
    System.out.printf("%d wait after %.1f s%n", WAITING, seconds(began));

    // when: a deployment goes through
    List<Double> next = IntStream.range(0, 5).mapToObj(this::secondsOfTheNext).toList();

    // when: one that waits is aborted
    long aborted = System.nanoTime();
    all.get(0).cancel();
    await().until(() -> watcher.open() == WAITING - 1);
    double abort = seconds(aborted);
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "Java %d: the next takes %s s; an abort is noticed after %.1f s; heap %d MB, %d threads%n",
        Runtime.version().feature(),
        next,
        abort,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        ManagementFactory.getThreadMXBean().getThreadCount());

    // then
    assertThat(next).allMatch(it -> it < 2.0);
    assertThat(abort).isLessThan(8.0);
  }

  private double secondsOfTheNext(int number) {
    long began = System.nanoTime();
    Void unused = begin("next-" + number).getResult(Void.class);
    return Math.round(seconds(began) * 100) / 100.0;
  }

  private WorkflowStub begin(String name) {
    ResourceRef resource = new ResourceRef(KUBERNETES, "FlinkDeployment", "default", name, "1111");
    WorkflowStub stub =
        temporal
            .client()
            .newUntypedWorkflowStub(
                "MeasuredUpgrade",
                WorkflowOptions.newBuilder()
                    .setTaskQueue(SETTINGS.taskQueue(KUBERNETES))
                    .setWorkflowId(resource.laneId())
                    .build());
    stub.start(resource);
    return stub;
  }

  private static double seconds(long sinceNanos) {
    return Duration.ofNanos(System.nanoTime() - sinceNanos).toMillis() / 1000.0;
  }
}
