package dev.sluice.e2e.cluster;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.BreakpointInterceptor;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.PartName;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.jvm.Java;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.parts.Progress;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The laptop cluster that all tests of a run share. Its home is fixed, so that what a killed run
 * has left is ended by the next one.
 */
public final class TestCluster implements AutoCloseable {

  /** In addition: jars may come from a server of a test, and FlinkApplications are run. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "SLUICE_ARTIFACT_HTTP", "true",
          "SLUICE_ARTIFACT_NETWORKS", "127.0.0.1",
          "SLUICE_FLINK_APPLICATIONS", "true");

  // two cores that dozens of processes share
  private static final Duration CALL = Duration.ofSeconds(30);

  private final LocalCluster local;
  private final KubernetesClient kubernetes;
  private final WorkflowServiceStubs temporalStubs;
  private final WorkflowClient temporal;
  private final Thread atExit;

  private TestCluster(LocalCluster local, Thread atExit) {
    this.local = local;
    this.kubernetes =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(local.config().kubeconfig().toFile()))
            .build();
    this.temporalStubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(local.config().temporalAddress())
                .setRpcTimeout(CALL)
                .setRpcQueryTimeout(CALL)
                .build());
    this.temporal = WorkflowClient.newInstance(temporalStubs);
    this.atExit = atExit;
  }

  /** Starts it from nothing, with breakpoints and settings in its worker. */
  static TestCluster start() {
    Path home = Path.of("target", "cluster").toAbsolutePath();
    LocalCluster.of(ClusterConfig.at(home, FreePorts.base(0)), Progress.silent()).reset();
    ClusterConfig config = ClusterConfig.at(home, FreePorts.base(0)).with(Java.newest());
    LocalCluster local = LocalCluster.of(config, Progress.silent());
    Thread atExit = new Thread(local::down, "take the cluster down");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      new FlinkImages().pull("flink:2.2");
      local.up();
      TestCluster cluster = new TestCluster(local, atExit);
      cluster.addSettings();
      cluster.addPreview();
      cluster.addBreakpoints();
      local.buildFlinkArchives();
      return cluster;
    } catch (ImagePullException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends every process of it. Logs stay until the next run. */
  @Override
  public void close() {
    kubernetes.close();
    temporalStubs.shutdownNow();
    local.down();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  public LocalCluster local() {
    return local;
  }

  /** As administrator. */
  public KubernetesClient kubernetes() {
    return kubernetes;
  }

  public WorkflowClient temporal() {
    return temporal;
  }

  /** The real kubectl. */
  public Kubectl kubectl() {
    return new Kubectl(local.kubectl());
  }

  /** Kills the process of a pod's first container without a warning. */
  public static void kill(Pod pod) {
    ProcessHandle.of(pid(pod)).orElseThrow().destroyForcibly();
  }

  private static long pid(Pod pod) {
    String process = pod.getStatus().getContainerStatuses().get(0).getContainerID();
    return Long.parseLong(process.replaceFirst("^process://", ""));
  }

  public Path home() {
    return local.config().home();
  }

  /** Where the jobs of a test keep their state; the same path inside their pods. */
  public Path state(String test) {
    return home().resolve("state").resolve(test);
  }

  /** A breakpoint in the worker. */
  public Breakpoint breakpoint(Breakpoint.Moment moment, String step, String resource) {
    return new Breakpoint(home().resolve(BreakpointInterceptor.FOLDER), moment, step, resource);
  }

  /** Kills a part without a warning and starts it again. */
  public void killAndStart(PartName part) {
    local.part(part).kill();
    local.part(part).start();
    local.part(part).awaitReady(Duration.ofSeconds(60));
  }

  /**
   * Kills the process of {@code sluice-worker} or {@code sluice-controller}; the node restarts it.
   */
  public void kill(String component) {
    OperatorPod pod =
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(100))
            // it may have ended by itself, and its pod still name the process that it was
            .ignoreExceptions()
            .until(() -> killed(component), Objects::nonNull);
    await()
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> OperatorPod.of(kubernetes, component).restarts() > pod.restarts());
  }

  private OperatorPod killed(String component) {
    OperatorPod pod = OperatorPod.of(kubernetes, component);
    kill(pod.pod());
    return pod;
  }

  /** Writes what is needed to understand a failure. */
  public void collectEvidence(Path folder) {
    new Evidence(this).collect(folder);
  }

  /** The process of {@code sluice-worker} or {@code sluice-controller}, as soon as it is ready. */
  public Shot aimAt(String component) {
    return await()
        .atMost(Patience.times(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(
            () ->
                Optional.of(OperatorPod.of(kubernetes, component))
                    .filter(OperatorPod::ready)
                    .flatMap(it -> aimAt(it.pod())),
            Optional::isPresent)
        .orElseThrow();
  }

  /** The process of a part. */
  public Shot aimAt(PartName part) {
    ProcessHandle process = local.part(part).pid().flatMap(ProcessHandle::of).orElseThrow();
    return new Shot(process, () -> killAndStart(part));
  }

  /** The process of a pod's first container, if there is one now. */
  public static Optional<Shot> aimAt(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(it -> it.getState().getRunning() != null)
        .findFirst()
        .flatMap(it -> ProcessHandle.of(pid(pod)))
        .map(it -> new Shot(it, () -> {}));
  }

  /** Until the node and the API server say that it is ready. */
  public void awaitReady(String component) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(() -> OperatorPod.of(kubernetes, component).ready());
  }

  /** They hold from the next start of controller and worker on. */
  private void addSettings() {
    kubernetes
        .configMaps()
        .inNamespace(OperatorPod.NAMESPACE)
        .withName("sluice-operator")
        .edit(it -> new ConfigMapBuilder(it).addToData(SETTINGS).build());
  }

  /** The controller looks at its start whether a definition is served. */
  private void addPreview() {
    String folder = local.config().root().resolve("deploy/preview").toString();
    kubectl().run("apply", "-f", folder);
    kubectl().run("wait", "-f", folder, "--for=condition=Established", "--timeout=60s");
    kill("controller");
    awaitReady("controller");
  }

  private void addBreakpoints() {
    Path jar = ownJar();
    try (Stream<Path> applications = Files.list(home().resolve("applications"))) {
      for (Path application :
          applications.filter(it -> it.getFileName().toString().startsWith("worker-")).toList()) {
        Files.copy(
            jar, application.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    kill("worker");
    awaitReady("worker");
  }

  private static Path ownJar() {
    try (Stream<Path> built = Files.list(Path.of("target"))) {
      return built
          .filter(it -> it.getFileName().toString().matches("sluice-e2e-[^/]*\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("run 'mvn package' first"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
