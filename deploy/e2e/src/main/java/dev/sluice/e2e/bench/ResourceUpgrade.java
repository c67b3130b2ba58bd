package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.demo.DeploymentView;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** An upgrade as Sluice does it: kubectl apply, until the resource is Ready. */
final class ResourceUpgrade {

  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Kubectl kubectl;
  private final Deployments deployments;
  private final String name;
  private final ObjectNode resource;

  ResourceUpgrade(Kubectl kubectl, Deployments deployments, String name, ObjectNode resource) {
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.name = name;
    this.resource = resource;
  }

  /** Of the sample job under another name. */
  static ResourceUpgrade of(
      ClusterConfig config, Kubectl kubectl, Deployments deployments, String name)
      throws IOException {
    ObjectNode resource =
        (ObjectNode)
            new YAMLMapper()
                .readTree(config.root().resolve("deploy/local/examples/counter.yaml").toFile());
    resource.withObject("/metadata").put("name", name);
    return new ResourceUpgrade(kubectl, deployments, name, resource);
  }

  /** Changes the spec that is applied next. */
  void change(Consumer<ObjectNode> change) {
    change.accept(resource.withObject("/spec"));
  }

  /** Applies it with an image and waits until it is Ready. */
  void to(String image) {
    resource.withObject("/spec").put("image", image);
    kubectl.succeed(resource.toString(), "apply", "--filename=-");
    Poll.answer(TIMEOUT, LOOK, this::why, this::ready);
  }

  /** Removes it. */
  void remove() {
    kubectl.succeed(
        "", "delete", "flinkdeployment", name, "--ignore-not-found=true", "--timeout=120s");
  }

  private Optional<Boolean> ready() {
    DeploymentView view = deployments.get(name);
    if (view.operation("state").equals("Parked")) {
      throw new ClusterException(view.problem());
    }
    return view.isReady() ? Optional.of(true) : Optional.empty();
  }

  private String why() {
    return deployments.get(name).problem();
  }
}
