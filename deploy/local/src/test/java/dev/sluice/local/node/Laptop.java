package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    Pod awaitPod(String name, Predicate<Pod> condition) {
      return awaiting(name).until(() -> pod(name), pod -> pod != null && condition.test(pod));
    }

    /** Waits for the first container's status. */
    ContainerStatus awaitStatus(String name, Predicate<ContainerStatus> condition) {
      awaitPod(
          name,
          pod ->
              pod.getStatus().getContainerStatuses().size() > 0
                  && condition.test(pod.getStatus().getContainerStatuses().get(0)));
      return status(name);
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
          .atMost(Duration.ofSeconds(40));
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
        .atMost(Duration.ofSeconds(30))
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
