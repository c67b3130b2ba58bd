package dev.sluice.local.node.pod;

import dev.sluice.local.node.StateFolder;
import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.container.PodObjects;
import dev.sluice.local.node.container.Preparation;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.image.Image;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Launch;
import dev.sluice.local.node.service.HostsFiles;
import dev.sluice.local.node.volume.Trees;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Starts containers.
 *
 * @param hosts names and addresses, for each pod
 * @param nodeEnv what every container finds in its environment
 */
public record ContainerStarts(
    KubernetesClient client, StateFolder state, HostsFiles hosts, Map<String, String> nodeEnv) {

  /** Lays out the container's folder and starts its process. */
  void start(Pod pod, PodRecord record, Path folder, Image image, PodAction.Start start)
      throws StartProblem, IOException, InterruptedException {
    PodObjects objects = new PodObjects(client, pod);
    Map<String, String> env = new HashMap<>(nodeEnv);
    env.put("POD_IP", record.ip());
    env.put("HOSTNAME", record.name());
    env.put("SLUICE_HOSTS_FILE", hosts.ofPod(folder, record.ip()).toString());
    env.put("KUBECONFIG", objects.kubeconfig(folder).toString());
    ContainerFolder folders = new ContainerFolder(folder.resolve(start.container().getName()));
    Attempt attempt = folders.attempt(start.attempt());
    Trees.delete(attempt.dir());
    Launch launch =
        new Preparation(pod, record.ip(), objects, folder, env).prepare(start.container(), image);
    attempt.begin(start.delay());
    try {
      launch.start(state.wrapper(), state.events().resolve(record.uid()), attempt);
    } catch (IOException e) {
      Trees.delete(attempt.dir()); // it never was
      throw new StartProblem("RunContainerError", String.valueOf(e.getMessage()));
    }
    if (start.attempt() > 1) {
      Trees.delete(folders.attempt(start.attempt() - 2).dir());
    }
  }
}
