package dev.sluice.activities.manifest.common;

import io.fabric8.kubernetes.api.model.KeyToPathBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.Collection;

/**
 * A volume of the pod and where the main container sees it.
 *
 * @param volume of the pod
 * @param path directory in the container
 */
public record MountedVolume(Volume volume, String path) {

  public static MountedVolume emptyDir(String name, String path) {
    return new MountedVolume(
        new VolumeBuilder().withName(name).withNewEmptyDir().endEmptyDir().build(), path);
  }

  public static MountedVolume secret(String secret, String path) {
    return new MountedVolume(
        new VolumeBuilder()
            .withName(secret + "-volume")
            .withNewSecret()
            .withSecretName(secret)
            .endSecret()
            .build(),
        path);
  }

  /** The whole ConfigMap. */
  public static MountedVolume configMap(String name, String configMap, String path) {
    return new MountedVolume(
        new VolumeBuilder()
            .withName(name)
            .withNewConfigMap()
            .withName(configMap)
            .endConfigMap()
            .build(),
        path);
  }

  /** The same with only those keys, each as a file of its name. */
  public MountedVolume withItems(Collection<String> keys) {
    return new MountedVolume(
        new VolumeBuilder(volume)
            .editConfigMap()
            .withItems(
                keys.stream()
                    .map(key -> new KeyToPathBuilder().withKey(key).withPath(key).build())
                    .toList())
            .endConfigMap()
            .build(),
        path);
  }

  public VolumeMount mount() {
    return new VolumeMountBuilder().withName(volume.getName()).withMountPath(path).build();
  }
}
