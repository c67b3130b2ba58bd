package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One control plane with one node for all integration tests of the node; each test class has its
 * own namespace.
 */
public final class Laptop implements BeforeAllCallback, ParameterResolver {

  /** What a test is given. */
  public record Cluster(ControlPlane plane, NodeUnderTest node, String namespace) {

    public KubernetesClient client() {
      return plane.client();
    }

    /** A pod of one bash container that runs a script. */
    PodBuilder bash(String name, String script) {
      return new PodBuilder()
          .withNewMetadata()
          .withName(name)
          .withNamespace(namespace)
          .endMetadata()
          .withNewSpec()
          .withTerminationGracePeriodSeconds(20L)
          .addNewContainer()
          .withName("main")
          .withImage("bash")
          .withArgs("-c", script)
          .endContainer()
          .endSpec();
    }

    Pod create(PodBuilder pod) {
      return client().pods().inNamespace(namespace).resource(pod.build()).create();
    }

    Pod pod(String name) {
      return client().pods().inNamespace(namespace).withName(name).get();
    }

    ContainerStatus status(String name) {
      return pod(name).getStatus().getContainerStatuses().get(0);
    }

    /** The process of a container that runs. */
    static long pid(ContainerStatus status) {
      return Long.parseLong(status.getContainerID().replaceFirst("^process://", ""));
    }

    /** The process of a pod's first container. */
    long pid(String name) {
      return pid(status(name));
    }

    /** Kills the process of a pod's first container. */
    void kill(String name) {
      ProcessHandle.of(pid(name)).orElseThrow().destroyForcibly();
    }

    /** Waits for a pod, and returns it as it was then. */
    Pod awaitPod(String name, Predicate<Pod> condition) {
      return awaiting(name).until(() -> pod(name), pod -> pod != null && condition.test(pod));
    }

    /** Waits for the first container's status, and returns it as it was then. */
    ContainerStatus awaitStatus(String name, Predicate<ContainerStatus> condition) {
      return awaitPod(
              name,
              pod ->
                  pod.getStatus().getContainerStatuses().size() > 0
                      && condition.test(pod.getStatus().getContainerStatuses().get(0)))
          .getStatus()
          .getContainerStatuses()
          .get(0);
    }

    /** Tells each state of waiting that the first container of a pod comes into. */
    Watch watchWaiting(String name, Consumer<ContainerStateWaiting> told) {
      return client()
          .pods()
          .inNamespace(namespace)
          .withName(name)
          .watch(
              new Watcher<>() {
                @Override
                public void eventReceived(Action action, Pod pod) {
                  pod.getStatus().getContainerStatuses().stream()
                      .limit(1)
                      .map(status -> status.getState().getWaiting())
                      .filter(Objects::nonNull)
                      .forEach(told);
                }

                @Override
                public void onClose(WatcherException lost) {
                  throw new IllegalStateException("The API server ended the watch", lost);
                }
              });
    }

    /** What the process of a pod's first container finds, as soon as that is its own program. */
    List<String> awaitEnvironment(ContainerStatus status, String entry) {
      Path environment = Path.of("/proc/" + pid(status) + "/environ");
      // empty for a moment while a program takes the place of the one that started it
      return awaiting(entry)
          .until(
              () -> List.of(Files.readString(environment).split("\0", -1)),
              it -> it.contains(entry));
    }

    Pod awaitPhase(String name, String phase) {
      return awaitPod(name, pod -> phase.equals(pod.getStatus().getPhase()));
    }

    void awaitGone(String name) {
      awaiting(name).until(() -> pod(name) == null);
    }

    ConditionFactory awaiting(String what) {
      return Awaitility.await(what)
          .pollInterval(Duration.ofMillis(25))
          .atMost(Duration.ofMinutes(2));
    }

    /** What kubectl prints; it must succeed. */
    String kubectl(String... args) throws IOException, InterruptedException {
      Process process = plane.kubectl(args).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as("%s: %s", List.of(args), said).isZero();
      return said;
    }
  }

  private record Shared(ControlPlane plane, NodeUnderTest node)
      implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    @Override
    public void close() throws IOException {
      node.close();
      plane.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    cluster(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Cluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  private static Cluster cluster(ExtensionContext context) {
    Shared shared =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(Laptop.class))
            .computeIfAbsent("shared", key -> start(), Shared.class);
    String namespace =
        context
            .getRequiredTestClass()
            .getSimpleName()
            .replaceAll("([a-z])([A-Z])", "$1-$2")
            .toLowerCase(java.util.Locale.ROOT);
    KubernetesClient client = shared.plane().client();
    if (client.namespaces().withName(namespace).get() == null) {
      client
          .namespaces()
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    Awaitility.await("default service account")
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                client.serviceAccounts().inNamespace(namespace).withName("default").get() != null);
    return new Cluster(shared.plane(), shared.node(), namespace);
  }

  private static Shared start() {
    try {
      Path dir = Path.of("target/node-it/" + ProcessHandle.current().pid()).toAbsolutePath();
      ControlPlane plane = new ControlPlane(dir.resolve("plane"));
      NodeUnderTest node = new NodeUnderTest(dir.resolve("node"), plane.kubeconfig());
      node.start();
      return new Shared(plane, node);
    } catch (IOException | java.security.GeneralSecurityException e) {
      throw new IllegalStateException("The test cluster did not start", e);
    }
  }
}
