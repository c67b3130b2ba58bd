package dev.sluice.local.node.container;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.image.Image;
import dev.sluice.local.node.process.Launch;
import dev.sluice.local.node.volume.Mount;
import dev.sluice.local.node.volume.Trees;
import dev.sluice.local.node.volume.Volumes;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  public Launch prepare(Container container, Image image) throws StartProblem, IOException {
    if (container.getLifecycle() != null || container.getRestartPolicy() != null) {
      throw new StartProblem(
          "CreateContainerConfigError",
          "The local node has no lifecycle hooks and no sidecar containers");
    }
    ContainerFolder folders = new ContainerFolder(podFolder.resolve(container.getName()));
    Trees.delete(folders.root());
    Trees.delete(folders.work());
    Files.createDirectories(folders.root());
    Files.createDirectories(folders.work().resolve("tmp"));
    Map<String, Path> targets = new HashMap<>();
    Path home = folders.root();
    if (image instanceof FlinkImage flink) {
      home = FlinkLayout.lay(flink, folders.root());
      targets.put(FlinkLayout.HOME, home);
    }
    List<Mount> mounts = mounts(container);
    mounts.forEach(mount -> targets.put(mount.path(), mount.target(folders.root())));
    PathMap paths = new PathMap(targets, pods());
    for (Mount mount : mounts) {
      mount.place(folders.root(), paths);
    }
    Map<String, String> env = new LinkedHashMap<>(nodeEnv);
    env.putAll(image.env());
    env.put("POD_DIR", folders.work().toString());
    env.put("TMPDIR", folders.work().resolve("tmp").toString());
    env.put("HOME", folders.root().toString());
    if (image instanceof FlinkImage flink) {
      env.putAll(FlinkLayout.env(flink, folders.root(), env.getOrDefault("PATH", "")));
    }
    new Environment(pod, ip, sources)
        .of(container, env)
        .forEach((name, value) -> env.put(name, paths.turn(value)));
    String wanted = container.getWorkingDir();
    Path directory =
        wanted == null || wanted.isEmpty() ? home : directory(wanted, folders.root(), paths);
    return new Launch(command(container, image, env, paths), env, directory);
  }

  private static Path directory(String wanted, Path root, PathMap paths) throws IOException {
    Path turned = Path.of(paths.turn(wanted));
    return Files.isDirectory(turned)
        ? turned
        : Files.createDirectories(root.resolve(wanted.replaceFirst("^/+", "")));
  }

  private Path pods() throws IOException {
    Path pods = podFolder.toAbsolutePath().getParent();
    if (pods == null) {
      throw new IOException(podFolder + " lies in no folder");
    }
    return pods;
  }

  private List<Mount> mounts(Container container) throws StartProblem, IOException {
    Volumes volumes = new Volumes(sources, podFolder.resolve("volumes"));
    // only to turn paths of other pods back
    PathMap plain = new PathMap(Map.of(), pods());
    List<Mount> mounts = new ArrayList<>();
    for (VolumeMount mount : orEmpty(container.getVolumeMounts())) {
      String path = plain.plain(mount.getMountPath());
      String at = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
      String sub = mount.getSubPath() == null ? "" : mount.getSubPath();
      mounts.add(new Mount(at, sub, volumes.content(volume(mount.getName()))));
    }
    mounts.sort(Comparator.comparingInt(mount -> mount.path().length()));
    return mounts;
  }

  private Volume volume(String name) throws StartProblem {
    for (Volume volume : orEmpty(pod.getSpec().getVolumes())) {
      if (volume.getName().equals(name)) {
        return volume;
      }
    }
    throw new StartProblem("CreateContainerConfigError", "There is no volume " + name);
  }

  /** The image's entry point unless the container has a command; the image's paths stay. */
  private static List<String> command(
      Container container, Image image, Map<String, String> env, PathMap paths)
      throws StartProblem {
    List<String> own = orEmpty(container.getCommand());
    List<String> command = new ArrayList<>();
    for (String word : own.isEmpty() ? image.entryPoint() : own) {
      String expanded = Expansion.expand(word, env);
      command.add(own.isEmpty() ? expanded : paths.turn(expanded));
    }
    orEmpty(container.getArgs())
        .forEach(arg -> command.add(paths.turn(Expansion.expand(arg, env))));
    if (command.isEmpty()) {
      throw new StartProblem(
          "CreateContainerError",
          "no command specified, and the image " + container.getImage() + " has none");
    }
    if (image instanceof FlinkImage flink) {
      command.set(0, FlinkLayout.shim(flink, command.get(0)));
    }
    return command;
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
