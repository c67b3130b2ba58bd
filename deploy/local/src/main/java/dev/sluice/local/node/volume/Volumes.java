package dev.sluice.local.node.volume;

import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.Sources;
import dev.sluice.local.node.container.StartProblem;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Works out what a pod's volumes hold. */
public final class Volumes {
  private final PodFields fields;
  private final Sources sources;
  private final Path podVolumes;

  /**
   * @param podVolumes the pod's own folder for volumes that live as long as the pod
   */
  public Volumes(PodFields fields, Sources sources, Path podVolumes) {
    this.fields = fields;
    this.sources = sources;
    this.podVolumes = podVolumes;
  }

  /**
   * The content of one volume; makes the folders of emptyDir and hostPath.
   *
   * @throws StartProblem when an object is missing that is not optional, or the kind of volume is
   *     not one the local node knows
   */
  public Content content(Volume volume) throws StartProblem, IOException {
    ObjectFiles objects = new ObjectFiles(fields, sources);
    if (volume.getConfigMap() != null) {
      ConfigMapVolumeSource v = volume.getConfigMap();
      int mode = ObjectFiles.mode(v.getDefaultMode());
      return objects.configMap(v.getName(), v.getItems(), v.getOptional(), mode);
    }
    if (volume.getSecret() != null) {
      SecretVolumeSource v = volume.getSecret();
      int mode = ObjectFiles.mode(v.getDefaultMode());
      return objects.secret(v.getSecretName(), v.getItems(), v.getOptional(), mode);
    }
    if (volume.getDownwardAPI() != null) {
      int mode = ObjectFiles.mode(volume.getDownwardAPI().getDefaultMode());
      return objects.downward(volume.getDownwardAPI().getItems(), mode);
    }
    if (volume.getProjected() != null) {
      return projected(volume, objects);
    }
    if (volume.getEmptyDir() != null) {
      return new Content.Shared(makeFolder(podVolumes.resolve(volume.getName())), false);
    }
    if (volume.getHostPath() != null) {
      return new Content.Shared(hostPath(volume.getHostPath()), true);
    }
    throw new StartProblem(
        "CreateContainerConfigError",
        "Volume "
            + volume.getName()
            + " is of a kind the local node does not have; it knows configMap, secret,"
            + " downwardAPI, projected, emptyDir and hostPath");
  }

  /** Whether the content has to be written again from time to time: it holds a token. */
  public static boolean expires(Volume volume) {
    return volume.getProjected() != null
        && volume.getProjected().getSources() != null
        && volume.getProjected().getSources().stream()
            .anyMatch(source -> source.getServiceAccountToken() != null);
  }

  /** Projected files with a token lie in the pod's folder, so that they can be renewed in place. */
  private Content projected(Volume volume, ObjectFiles objects) throws StartProblem, IOException {
    int mode = ObjectFiles.mode(volume.getProjected().getDefaultMode());
    Map<String, Content.File> files = objects.projected(volume.getProjected(), mode);
    if (!expires(volume)) {
      return new Content.Files(files);
    }
    Path folder = makeFolder(podVolumes.resolve(volume.getName()));
    for (Map.Entry<String, Content.File> file : files.entrySet()) {
      PlacedFile.write(
          folder.resolve(file.getKey()), file.getValue().bytes(), file.getValue().mode());
    }
    return new Content.Shared(folder, false);
  }

  private static Path hostPath(HostPathVolumeSource source) throws StartProblem, IOException {
    Path path = Path.of(source.getPath());
    String type = source.getType() == null ? "" : source.getType();
    if (type.equals("DirectoryOrCreate") || (type.isEmpty() && !java.nio.file.Files.exists(path))) {
      return makeFolder(path);
    }
    boolean fits =
        switch (type) {
          case "Directory" -> java.nio.file.Files.isDirectory(path);
          case "File" -> java.nio.file.Files.isRegularFile(path);
          default -> true;
        };
    if (!fits) {
      throw new StartProblem(
          "ContainerCreating", "hostPath type check failed: " + path + " is not a " + type);
    }
    return path;
  }

  private static Path makeFolder(Path path) throws IOException {
    return java.nio.file.Files.createDirectories(path);
  }
}
