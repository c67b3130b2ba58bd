package dev.sluice.local.node.volume;

import dev.sluice.local.node.container.Sources;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.volume.Mount.Content;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Works out what a pod's volumes hold.
 *
 * @param sources the pod's ConfigMaps and Secrets
 * @param podVolumes the pod's own folder for volumes that live as long as the pod
 */
public record Volumes(Sources sources, Path podVolumes) {
  /** Kubernetes' default. */
  private static final int DEFAULT_MODE = 0644;

  /**
   * The content of one volume; makes the folders of emptyDir and hostPath.
   *
   * @throws StartProblem when an object is missing that is not optional, or the kind of volume is
   *     not one the local node knows
   */
  public Content content(Volume volume) throws StartProblem, IOException {
    if (volume.getConfigMap() != null) {
      var v = volume.getConfigMap();
      return copied(
          Sources.Kind.CONFIGMAP, v.getName(), v.getItems(), v.getOptional(), v.getDefaultMode());
    }
    if (volume.getSecret() != null) {
      var v = volume.getSecret();
      return copied(
          Sources.Kind.SECRET,
          v.getSecretName(),
          v.getItems(),
          v.getOptional(),
          v.getDefaultMode());
    }
    if (volume.getEmptyDir() != null) {
      Path folder = podVolumes.resolve(volume.getName());
      return new Content.Shared(Files.createDirectories(folder), false);
    }
    if (volume.getHostPath() != null) {
      return new Content.Shared(hostPath(volume.getHostPath()), true);
    }
    if (holdsToken(volume)) {
      return new Content.Copied(Map.of(), false);
    }
    throw new StartProblem(
        "CreateContainerConfigError",
        "Volume "
            + volume.getName()
            + " is of a kind the local node does not have; it knows configMap, secret, emptyDir and"
            + " hostPath");
  }

  /**
   * The volume that the API server adds to each pod, at a path of the image's own root; a process
   * could not see it there and finds its token by KUBECONFIG.
   */
  private static boolean holdsToken(Volume volume) {
    return volume.getProjected() != null
        && volume.getProjected().getSources() != null
        && volume.getProjected().getSources().stream()
            .anyMatch(source -> source.getServiceAccountToken() != null);
  }

  private Content copied(
      Sources.Kind kind,
      String name,
      @Nullable List<KeyToPath> items,
      @Nullable Boolean optional,
      @Nullable Integer defaultMode)
      throws StartProblem {
    int mode = defaultMode == null ? DEFAULT_MODE : defaultMode;
    // the kubelet leaves the container in creation until the object is there
    Map<String, byte[]> all = sources.read(kind, name, optional, "ContainerCreating");
    Map<String, Content.File> files = new TreeMap<>();
    if (items == null || items.isEmpty()) {
      all.forEach((key, bytes) -> files.put(key, new Content.File(bytes, mode)));
    } else {
      for (KeyToPath item : items) {
        byte[] bytes = all.get(item.getKey());
        if (bytes != null) {
          int own = item.getMode() == null ? mode : item.getMode();
          files.put(item.getPath(), new Content.File(bytes, own));
        } else if (!Boolean.TRUE.equals(optional)) {
          throw new StartProblem(
              "ContainerCreating",
              "%s \"%s\" references non-existent key: %s"
                  .formatted(kind.word(), name, item.getKey()));
        }
      }
    }
    return new Content.Copied(files, kind == Sources.Kind.CONFIGMAP);
  }

  private static Path hostPath(HostPathVolumeSource source) throws StartProblem, IOException {
    Path path = Path.of(source.getPath());
    String type = source.getType() == null ? "" : source.getType();
    if (type.isEmpty() ? !Files.exists(path) : type.equals("DirectoryOrCreate")) {
      return Files.createDirectories(path);
    }
    if (type.equals("Directory") && !Files.isDirectory(path)
        || type.equals("File") && !Files.isRegularFile(path)) {
      throw new StartProblem(
          "ContainerCreating", "hostPath type check failed: " + path + " is not a " + type);
    }
    return path;
  }
}
