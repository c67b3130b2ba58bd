package dev.sluice.local.node.container;

import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Lays out a container's folder and works out the process to start in it.
 *
 * @param ip the pod's address
 * @param podFolder the pod's folder in the folder of all pods
 * @param nodeEnv what every container of the pod finds in its environment
 */
public record Preparation(
    Pod pod, String ip, Sources sources, Path podFolder, Map<String, String> nodeEnv) {

  /**
   * Makes the container's root anew, as a container engine does at each start.
   *
   * @throws StartProblem when something the container needs is not there
   */
  public ProcessBuilder prepare(Container container, Image image) throws StartProblem, IOException {
    List<String> refused = PodFields.read().refused(pod.getSpec(), container);
    if (!refused.isEmpty()) {
      throw new StartProblem(
          "CreateContainerConfigError",
          "The local node does not have: " + String.join(", ", refused));
    }
    Path root = podFolder.resolve(container.getName()).resolve("root");
    Path work = root.resolveSibling("work");
    Trees.delete(root);
    Trees.delete(work);
    Files.createDirectories(root);
    Files.createDirectories(work.resolve("tmp"));
    Path home = image.populate(root);
    PathMap paths = mount(container, root, home);
    Map<String, String> env = new LinkedHashMap<>(nodeEnv);
    env.put("POD_DIR", work.toString());
    env.put("TMPDIR", work.resolve("tmp").toString());
    env.put("HOME", root.toString());
    env.putAll(image.env(home, nodeEnv.getOrDefault("PATH", "")));
    new Environment(pod, ip, sources)
        .of(container, env)
        .forEach((name, value) -> env.put(name, paths.toHost(value)));
    ProcessBuilder process =
        new ProcessBuilder(command(container, image, env, paths)).directory(home.toFile());
    process.environment().clear();
    process.environment().putAll(env);
    return process;
  }

  /** Puts all volumes in their places, and says where paths lead then. */
  private PathMap mount(Container container, Path root, Path home)
      throws StartProblem, IOException {
    PathMap plain = new PathMap(Map.of(), Trees.folder(podFolder)); // turns paths of pods back
    Map<String, VolumeMount> mounts = new TreeMap<>(); // outer ones first
    for (VolumeMount mount : container.getVolumeMounts()) {
      mounts.put(plain.toContainer(mount.getMountPath()).replaceFirst("/$", ""), mount);
    }
    Map<String, Path> targets = new HashMap<>();
    if (!home.equals(root)) {
      targets.put("/" + root.relativize(home), home);
    }
    for (var at : mounts.entrySet()) {
      VolumeMount mount = at.getValue();
      Path place = place(root, at.getKey());
      targets.put(at.getKey(), Volumes.target(volume(mount), subPath(mount), place));
    }
    PathMap paths = new PathMap(targets, Trees.folder(podFolder));
    Volumes volumes = new Volumes(sources, podFolder.resolve("pod.volumes"));
    for (var at : mounts.entrySet()) {
      VolumeMount mount = at.getValue();
      volumes.place(volume(mount), subPath(mount), place(root, at.getKey()), paths);
    }
    return paths;
  }

  /** Where a mount goes: only over what is the container's own, never through a link. */
  private static Path place(Path root, String path) throws StartProblem {
    Path place = root;
    boolean own = true;
    for (Path name : Path.of(path)) {
      own &= !Files.isSymbolicLink(place) && !name.toString().equals("..");
      place = place.resolve(name);
    }
    if (!own || place.equals(root)) {
      throw new StartProblem(
          "CreateContainerConfigError",
          "mountPath %s/ is not inside the container, or inside another mount".formatted(path));
    }
    return place;
  }

  private static String subPath(VolumeMount mount) {
    return Objects.requireNonNullElse(mount.getSubPath(), "");
  }

  private Volume volume(VolumeMount mount) throws StartProblem {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getName().equals(mount.getName()))
        .findFirst()
        .orElseThrow(
            () ->
                new StartProblem(
                    "CreateContainerConfigError", "There is no volume " + mount.getName()));
  }

  /** The image's entry point unless the container has a command; the image's paths stay. */
  private static List<String> command(
      Container container, Image image, Map<String, String> env, PathMap paths)
      throws StartProblem {
    List<String> own = container.getCommand();
    List<String> command = new ArrayList<>();
    for (String word : own.isEmpty() ? image.command() : own) {
      String expanded = Environment.expand(word, env);
      command.add(own.isEmpty() ? expanded : paths.toHost(expanded));
    }
    container.getArgs().forEach(arg -> command.add(paths.toHost(Environment.expand(arg, env))));
    if (command.isEmpty()) {
      throw new StartProblem(
          "CreateContainerError",
          "no command specified, and the image " + container.getImage() + " has none");
    }
    command.set(0, image.program(command.get(0)));
    return command;
  }
}
