package dev.sluice.local.node.pod;

import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.Preparation;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.image.ImageState;
import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.pod.PodAction.Start;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Launch;
import dev.sluice.local.node.process.Launcher;
import dev.sluice.local.node.service.HostsFile;
import dev.sluice.local.node.token.PodSources;
import dev.sluice.local.node.token.PodTokens;
import dev.sluice.local.node.volume.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Starts containers.
 *
 * @param hosts names and addresses, for each pod
 * @param refused pods whose containers must not start because a test says so
 * @param nodeEnv what every container finds in its environment
 * @param capacity what the node has, for the downward API
 */
public record Starts(
    KubernetesClient client,
    Images images,
    PodTokens tokens,
    Launcher launcher,
    HostsFile hosts,
    Predicate<Pod> refused,
    Map<String, String> nodeEnv,
    Map<String, Quantity> capacity) {

  /** Lays out the container's folder and starts its process. */
  void start(Pod pod, PodRecord record, Path folder, Start start)
      throws StartProblem, IOException, InterruptedException {
    Container container = start.container();
    if (refused.test(pod)) {
      throw new StartProblem("RunContainerError", "The start is refused by a fault on purpose");
    }
    PodFields fields = new PodFields(pod, record.ip(), capacity);
    PodSources sources = new PodSources(client, pod);
    tokens.provide(fields, sources, folder);
    Map<String, String> env = new HashMap<>(nodeEnv);
    env.put("POD_IP", record.ip());
    env.put("HOSTNAME", record.name());
    env.put("SLUICE_HOSTS_FILE", hosts.ofPod(folder, record.ip()).toString());
    env.put("KUBECONFIG", PodTokens.file(folder).toString());
    ContainerFolder folders = new ContainerFolder(folder.resolve(container.getName()));
    Attempt attempt = folders.attempt(start.attempt());
    Trees.delete(attempt.dir());
    if (images.state(record.uid(), container.getImage()) instanceof ImageState.Pulled pulled) {
      Path pods = folder.toAbsolutePath().getParent();
      if (pods == null) {
        throw new IOException(folder + " lies in no folder");
      }
      String name = folder.getFileName().toString();
      Launch launch =
          new Preparation(fields, sources, pods, name, env)
              .prepare(container, pulled.image(), attempt);
      attempt.begin(start.delay());
      launch(record, attempt, launch);
      if (start.attempt() > 1) {
        Trees.delete(folders.attempt(start.attempt() - 2).dir());
      }
    }
  }

  private void launch(PodRecord record, Attempt attempt, Launch launch)
      throws StartProblem, IOException, InterruptedException {
    try {
      launcher.start(record.uid(), attempt, launch);
    } catch (IOException e) {
      Trees.delete(attempt.dir()); // it never was
      throw new StartProblem("RunContainerError", String.valueOf(e.getMessage()));
    }
  }
}
