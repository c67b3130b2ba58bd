package dev.sluice.e2e.bench;

import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The bare steps of an upgrade, as a script would do them: no workflow, nothing recorded, no check
 * of what was restored.
 */
final class ScriptedUpgrade {

  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Kubectl kubectl;
  private final Deployments deployments;
  private final String name;
  private final ManifestCopy manifests;
  private String jobId = "";

  ScriptedUpgrade(Kubectl kubectl, Deployments deployments, String name, ManifestCopy manifests) {
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.name = name;
    this.manifests = manifests;
  }

  /** Makes the cluster, and waits until all tasks run. */
  void start(String image, String savepoint) throws IOException {
    // never one that ran before: Flink remembers which jobs are done
    jobId = UUID.randomUUID().toString().replace("-", "");
    kubectl.succeed(manifests.with(image, jobId, savepoint), "apply", "--filename=-");
    await("every task runs", this::runs);
  }

  /** Stops it with a savepoint, removes the cluster, makes it again from there. */
  void upgrade(String image) throws IOException {
    String rest = await("a JobManager", () -> deployments.rest(name));
    String stop = FlinkApi.stop(rest, jobId);
    String savepoint = await("the savepoint", () -> savepoint(rest, stop));
    removeCluster();
    start(image, savepoint);
  }

  /** Removes all of it. */
  void remove() {
    removeCluster();
    kubectl.succeed(
        "", "delete", "service,configmap", "--selector=app=" + name, "--ignore-not-found=true");
  }

  private void removeCluster() {
    kubectl.succeed("", "delete", "deployment", name, "--wait=false", "--ignore-not-found=true");
    await(
        "the end of all pods",
        () ->
            DeployedObjects.podCount(deployments.client(), name) == 0
                ? Optional.of(true)
                : Optional.empty());
    kubectl.succeed(
        "",
        "delete",
        "configmap",
        name + "-cluster-config-map",
        name + "-" + jobId + "-config-map",
        "--ignore-not-found=true");
  }

  private Optional<String> savepoint(String rest, String stop) {
    try {
      return Optional.of(FlinkApi.savepoint(rest, jobId, stop)).filter(path -> !path.isEmpty());
    } catch (IOException e) {
      throw new ClusterException("the script could not take its savepoint", e);
    }
  }

  private Optional<Boolean> runs() {
    Optional<String> rest = deployments.rest(name);
    try {
      return rest.isPresent() && FlinkApi.allTasksRun(rest.get(), jobId)
          ? Optional.of(true)
          : Optional.empty();
    } catch (IOException notYet) {
      return Optional.empty();
    }
  }

  private <T> T await(String what, Supplier<Optional<T>> question) {
    return Poll.answer(TIMEOUT, LOOK, () -> what + " of " + name, question);
  }
}
