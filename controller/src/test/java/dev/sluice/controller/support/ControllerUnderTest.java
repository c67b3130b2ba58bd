package dev.sluice.controller.support;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.ControllerSettings;
import dev.sluice.controller.Controllers;
import dev.sluice.controller.application.FlinkApplicationReconciler;
import dev.sluice.controller.bluegreen.FlinkBlueGreenDeploymentReconciler;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ServedDefinition;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.operation.OperationClient;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.TemporalCalls;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.sessionjob.FlinkSessionJobReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The whole controller, wired as its process wires it, with the rights of the committed manifest,
 * but impatient.
 */
public final class ControllerUnderTest implements AutoCloseable {

  private static final String ACCOUNT = "system:serviceaccount:sluice-system:sluice-controller";
  private static final Path RIGHTS = Path.of("../deploy/operator/20-controller-rights.yaml");

  private final Queue<String> writes = new ConcurrentLinkedQueue<>();
  private final KubernetesClient client;
  private final JobPollers pollers;
  private final EventRecorder events;
  private final Operator operator;
  private final FlinkDeploymentReconciler reconciler;
  private final AtomicReference<DefaultConfiguration> defaults =
      new AtomicReference<>(DefaultConfiguration.NONE);

  private ControllerUnderTest(
      Config config, String namespace, TemporalUnderTest temporal, FakeFlink flink) {
    client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("writes", new Writes()))
            .build();
    ControllerSettings settings =
        ControllerSettings.from(
            new Settings(
                Map.of(
                    "SLUICE_WATCH_NAMESPACES", namespace,
                    "SLUICE_LEADER_ELECTION", "false",
                    "SLUICE_POLL_INTERVAL", "100ms",
                    "SLUICE_RESYNC", "1s",
                    "SLUICE_TEMPORAL_RETRY", "300ms")));
    KubernetesCluster identity = KubernetesCluster.of(client);
    TemporalCalls calls = new TemporalCalls("test:7233", 4);
    OperationDispatcher dispatcher =
        new OperationDispatcher(
            new OperationClient(temporal.client(), identity.taskQueue(settings.taskQueue()), calls),
            Clock.systemUTC(),
            settings.intervals());
    pollers = new JobPollers(flink.client(), settings.poll());
    events = new EventRecorder(client, Clock.systemUTC());
    boolean jobs = ServedDefinition.isServed(client, FlinkSessionJob.class, settings.namespaces());
    boolean served =
        ServedDefinition.isServed(client, FlinkStateSnapshot.class, settings.namespaces());
    LaneReconciler.Shared lanes =
        new LaneReconciler.Shared(
            client,
            events,
            identity,
            new KnownResources(),
            dispatcher,
            Clock.systemUTC(),
            settings.intervals());
    reconciler =
        new FlinkDeploymentReconciler(
            lanes,
            new JobSnapshots<>(FlinkDeployment.class, lanes, served),
            pollers,
            defaults::get);
    List<LaneReconciler<?, ?, ?>> reconcilers = new ArrayList<>(List.of(reconciler));
    if (jobs) {
      reconcilers.add(
          new FlinkSessionJobReconciler(
              lanes,
              new JobSnapshots<>(FlinkSessionJob.class, lanes, served),
              pollers,
              defaults::get));
    }
    if (served) {
      reconcilers.add(new FlinkStateSnapshotReconciler(lanes));
    }
    if (jobs
        && ServedDefinition.isServed(
            client, FlinkBlueGreenDeployment.class, settings.namespaces())) {
      reconcilers.add(new FlinkBlueGreenDeploymentReconciler(lanes, defaults::get));
    }
    if (ServedDefinition.isServed(client, FlinkApplication.class, settings.namespaces())) {
      reconcilers.add(new FlinkApplicationReconciler(lanes, pollers, flink.client()));
    }
    operator = Controllers.of(client, settings, reconcilers, Metrics.NOOP, () -> {});
  }

  /** Starts one for this namespace. */
  public static ControllerUnderTest start(
      ApiServer api, String namespace, TemporalUnderTest temporal, FakeFlink flink) {
    Config rights = new ConfigBuilder(api.config()).withImpersonateUsername(account(api)).build();
    ControllerUnderTest controller = new ControllerUnderTest(rights, namespace, temporal, flink);
    controller.operator.start();
    return controller;
  }

  private static String account(ApiServer api) {
    KubernetesClient admin = api.client();
    ObjectMeta system = new ObjectMetaBuilder().withName("sluice-system").build();
    admin.resource(new NamespaceBuilder().withMetadata(system).build()).serverSideApply();
    try (InputStream manifest = Files.newInputStream(RIGHTS)) {
      admin.load(manifest).serverSideApply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    api.awaitRights(ACCOUNT);
    return ACCOUNT;
  }

  /** The file with default configuration changes. */
  public void useDefaults(String yaml) {
    defaults.set(DefaultConfiguration.parse(yaml));
    reconciler.defaultsChanged();
  }

  /** Everything it wrote to Kubernetes: {@code PATCH flinkdeployments/orders/status}. */
  public List<String> writes() {
    return List.copyOf(writes);
  }

  /** Forgets what was written. */
  public void forgetWrites() {
    writes.clear();
  }

  @Override
  public void close() {
    operator.stop();
    pollers.close();
    events.close();
    client.close();
  }

  private final class Writes implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (!request.method().equals("GET")) {
        String path = request.uri().getPath();
        writes.add(request.method() + " " + path.replaceFirst(".*/namespaces/[^/]+/", ""));
      }
    }
  }
}
