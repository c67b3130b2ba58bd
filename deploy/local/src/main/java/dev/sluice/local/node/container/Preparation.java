package dev.sluice.local.node.container;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.image.Image;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Launch;
import dev.sluice.local.node.volume.Mount;
import dev.sluice.local.node.volume.Trees;
import dev.sluice.local.node.volume.Volumes;
import io.fabric8.kubernetes.api.model.Container;
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

/** Lays out a container's folder and works out the process to start in it. */
public final class Preparation {
  private final PodFields fields;
  private final Sources sources;
  private final Path pods;
  private final Path podFolder;
  private final Map<String, String> nodeEnv;

  /**
   * @param pods the folder of all pods
   * @param podFolder the name of the pod's folder in it
   * @param nodeEnv what every container of the pod finds in its environment
   */
  public Preparation(
      PodFields fields, Sources sources, Path pods, String podFolder, Map<String, String> nodeEnv) {
    this.fields = fields;
    this.sources = sources;
    this.pods = pods;
    this.podFolder = pods.resolve(podFolder);
    this.nodeEnv = Map.copyOf(nodeEnv);
  }

  /**
   * Makes the container's root anew, as a container engine does at each start.
   *
   * @throws StartProblem when something the container needs is not there
   */
  public Launch prepare(Container container, Image image, Attempt attempt)
      throws StartProblem, IOException {
    ContainerFolder folders = new ContainerFolder(podFolder.resolve(container.getName()));
    Trees.delete(folders.root());
    Trees.delete(folders.work());
    Files.createDirectories(folders.root());
    Files.createDirectories(folders.work().resolve("tmp"));
    if (image instanceof FlinkImage flink) {
      FlinkLayout.lay(flink, folders.root());
    }
    List<Mount> mounts = mounts(container);
    PathMap paths = paths(container, image, folders, attempt, mounts);
    paths.write(attempt.dir());
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
    new Environment(fields, sources)
        .of(container, env)
        .forEach((name, value) -> env.put(name, paths.turn(value)));
    Path directory = directory(container, image, folders, paths);
    return new Launch(Commands.of(container, image, env, paths), env, directory);
  }

  private List<Mount> mounts(Container container) throws StartProblem, IOException {
    Volumes volumes = new Volumes(fields, sources, podFolder.resolve("volumes"));
    // only to turn paths of other pods back
    PathMap plain = new PathMap(Map.of(), pods);
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
    for (Volume volume : orEmpty(fields.pod().getSpec().getVolumes())) {
      if (volume.getName().equals(name)) {
        return volume;
      }
    }
    throw new StartProblem("CreateContainerConfigError", "There is no volume " + name);
  }

  private PathMap paths(
      Container container,
      Image image,
      ContainerFolder folders,
      Attempt attempt,
      List<Mount> mounts) {
    Map<String, Path> targets = new HashMap<>();
    if (image instanceof FlinkImage) {
      targets.put(FlinkLayout.HOME, folders.root().resolve(FlinkLayout.HOME.substring(1)));
    }
    if (container.getTerminationMessagePath() != null) {
      targets.put(container.getTerminationMessagePath(), attempt.terminationMessage());
    }
    mounts.forEach(mount -> targets.put(mount.path(), mount.target(folders.root())));
    return new PathMap(targets, pods);
  }

  private static Path directory(
      Container container, Image image, ContainerFolder folders, PathMap paths) throws IOException {
    String wanted = container.getWorkingDir();
    if (wanted == null || wanted.isEmpty()) {
      return image instanceof FlinkImage
          ? folders.root().resolve(FlinkLayout.HOME.substring(1))
          : folders.root();
    }
    Path turned = Path.of(paths.turn(wanted));
    if (Files.isDirectory(turned)) {
      return turned;
    }
    return Files.createDirectories(folders.root().resolve(wanted.replaceFirst("^/+", "")));
  }

  private static <T> List<T> orEmpty(@org.jspecify.annotations.Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
