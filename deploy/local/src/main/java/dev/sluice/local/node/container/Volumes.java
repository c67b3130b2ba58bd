package dev.sluice.local.node.container;

import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A pod's volumes as files and folders of this machine.
 *
 * @param sources the pod's ConfigMaps and Secrets
 * @param podVolumes the pod's own folder for volumes that live as long as the pod
 */
record Volumes(Sources sources, Path podVolumes) {
  private static final int DEFAULT_MODE = 0644;

  /**
   * What a path inside the container means on this machine. That of a hostPath is handed to the
   * process as it is, so that a savepoint's path means the same after the pod is gone.
   *
   * @param place where the volume is put in the container's root
   */
  static Path target(Volume volume, String subPath, Path place) {
    return volume.getHostPath() == null
        ? place
        : Path.of(volume.getHostPath().getPath()).resolve(subPath);
  }

  /**
   * Puts a volume into a container's root: its own copy of a ConfigMap or Secret, otherwise a link
   * to the folder that all containers of the pod share.
   *
   * @param subPath the part of the volume that is mounted; "" for all of it
   * @param paths to turn the paths in ConfigMaps
   * @throws StartProblem when an object is missing that is not optional, or the kind of volume is
   *     not one the local node knows
   */
  void place(Volume volume, String subPath, Path place, PathMap paths)
      throws StartProblem, IOException {
    if (volume.getEmptyDir() != null) {
      link(place, Files.createDirectories(podVolumes.resolve(volume.getName())), subPath);
      return;
    } else if (volume.getHostPath() != null) {
      link(place, hostPath(volume.getHostPath()), subPath);
      return;
    }
    Trees.delete(place);
    if (volume.getConfigMap() != null) {
      copy(Sources.Kind.CONFIGMAP, volume.getConfigMap(), subPath, place, paths);
    } else if (volume.getSecret() != null) {
      var s = volume.getSecret();
      var like =
          new ConfigMapVolumeSource(
              s.getDefaultMode(), s.getItems(), s.getSecretName(), s.getOptional());
      copy(Sources.Kind.SECRET, like, subPath, place, paths);
    } else if (volume.getProjected() != null) {
      project(volume, subPath, place, paths);
    } else {
      throw unknown(volume, "configMap, secret, projected, emptyDir and hostPath");
    }
    if (!Files.exists(place)) {
      Files.createDirectories(place);
    }
  }

  /**
   * Puts ConfigMaps and Secrets together. A token is left out: a process finds its own by
   * KUBECONFIG. So is all of the volume that the API server adds to each pod, at a path of the
   * image's own root, where a process could not see it.
   */
  private void project(Volume volume, String subPath, Path place, PathMap paths)
      throws StartProblem, IOException {
    if (volume.getName().startsWith("kube-api-access-")) {
      return;
    }
    Integer mode = volume.getProjected().getDefaultMode();
    for (VolumeProjection source : volume.getProjected().getSources()) {
      if (source.getConfigMap() != null) {
        var c = source.getConfigMap();
        var like = new ConfigMapVolumeSource(mode, c.getItems(), c.getName(), c.getOptional());
        copy(Sources.Kind.CONFIGMAP, like, subPath, place, paths);
      } else if (source.getSecret() != null) {
        var s = source.getSecret();
        var like = new ConfigMapVolumeSource(mode, s.getItems(), s.getName(), s.getOptional());
        copy(Sources.Kind.SECRET, like, subPath, place, paths);
      } else if (source.getServiceAccountToken() == null) {
        throw unknown(volume, "configMap, secret and serviceAccountToken in projected ones");
      }
    }
  }

  private static StartProblem unknown(Volume volume, String known) {
    return new StartProblem(
        "CreateContainerConfigError",
        "Volume %s is of a kind the local node does not have; it knows %s"
            .formatted(volume.getName(), known));
  }

  private void copy(
      Sources.Kind kind, ConfigMapVolumeSource from, String subPath, Path place, PathMap paths)
      throws StartProblem, IOException {
    // the kubelet leaves the container in creation until the object is there
    Map<String, byte[]> all =
        sources.read(kind, from.getName(), from.getOptional(), "ContainerCreating");
    List<KeyToPath> items = from.getItems();
    if (items.isEmpty()) {
      items = all.keySet().stream().map(key -> new KeyToPath(key, null, key)).toList();
    }
    for (KeyToPath item : items) {
      byte[] bytes = all.get(item.getKey());
      Path path = Path.of(item.getPath());
      if (bytes == null && !Boolean.TRUE.equals(from.getOptional())) {
        throw new StartProblem(
            "ContainerCreating",
            "%s \"%s\" references non-existent key: %s"
                .formatted(kind, from.getName(), item.getKey()));
      }
      if (bytes != null && (subPath.isEmpty() || path.startsWith(subPath))) {
        Integer mode = item.getMode() == null ? from.getDefaultMode() : item.getMode();
        Trees.write(
            place.resolve(Path.of(subPath).relativize(path)),
            kind == Sources.Kind.CONFIGMAP ? turned(bytes, paths) : bytes,
            mode == null ? DEFAULT_MODE : mode);
      }
    }
  }

  private static byte[] turned(byte[] bytes, PathMap paths) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean isText = Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8));
    return isText ? paths.toHost(text).getBytes(StandardCharsets.UTF_8) : bytes;
  }

  private static void link(Path place, Path folder, String subPath) throws IOException {
    Path part = folder.resolve(subPath);
    Trees.link(place, Files.exists(part) ? part : Files.createDirectories(part));
  }

  private static Path hostPath(HostPathVolumeSource source) throws StartProblem, IOException {
    Path path = Path.of(source.getPath());
    String type = source.getType() == null ? "" : source.getType();
    if (!Files.exists(path) && type.matches("|DirectoryOrCreate")) {
      Files.createDirectories(path);
    } else if (!Files.exists(path) && type.equals("FileOrCreate")) {
      Files.createFile(path);
    }
    if (!(type.startsWith("Directory")
        ? Files.isDirectory(path)
        : type.startsWith("File") ? Files.isRegularFile(path) : Files.exists(path))) {
      throw new StartProblem(
          "ContainerCreating", "hostPath type check failed: " + path + " is not a " + type);
    }
    return path;
  }
}
