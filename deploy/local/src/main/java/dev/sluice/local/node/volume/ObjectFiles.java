package dev.sluice.local.node.volume;

import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.Sources;
import dev.sluice.local.node.container.StartProblem;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.ProjectedVolumeSource;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** API objects as the files of a volume. */
final class ObjectFiles {
  /** Kubernetes' default. */
  private static final int DEFAULT_MODE = 0644;

  /** Kubernetes' default life of a projected token, in seconds. */
  private static final long TOKEN_SECONDS = 3600;

  private final PodFields fields;
  private final Sources sources;

  ObjectFiles(PodFields fields, Sources sources) {
    this.fields = fields;
    this.sources = sources;
  }

  static int mode(@Nullable Integer mode) {
    return mode == null ? DEFAULT_MODE : mode;
  }

  Content.Files configMap(
      String name, @Nullable List<KeyToPath> items, @Nullable Boolean optional, int mode)
      throws StartProblem {
    var found = sources.configMap(name);
    if (found.isEmpty()) {
      return missing("configmap", name, optional);
    }
    Map<String, Content.File> all = new TreeMap<>();
    orEmpty(found.get().getData())
        .forEach((key, text) -> all.put(key, new Content.File(utf8(text), mode, true)));
    orEmpty(found.get().getBinaryData())
        .forEach((key, data) -> all.put(key, new Content.File(base64(data), mode, false)));
    return new Content.Files(pick(all, items, optional, "configmap \"" + name + "\""));
  }

  Content.Files secret(
      String name, @Nullable List<KeyToPath> items, @Nullable Boolean optional, int mode)
      throws StartProblem {
    var found = sources.secret(name);
    if (found.isEmpty()) {
      return missing("secret", name, optional);
    }
    Map<String, Content.File> all = new TreeMap<>();
    orEmpty(found.get().getData())
        .forEach((key, data) -> all.put(key, new Content.File(base64(data), mode, false)));
    return new Content.Files(pick(all, items, optional, "secret \"" + name + "\""));
  }

  Content.Files downward(@Nullable List<DownwardAPIVolumeFile> items, int mode)
      throws StartProblem {
    Map<String, Content.File> files = new TreeMap<>();
    for (DownwardAPIVolumeFile item : items == null ? List.<DownwardAPIVolumeFile>of() : items) {
      int own = item.getMode() == null ? mode : item.getMode();
      files.put(item.getPath(), new Content.File(utf8(value(item)), own, false));
    }
    return new Content.Files(files);
  }

  Map<String, Content.File> projected(ProjectedVolumeSource volume, int mode) throws StartProblem {
    Map<String, Content.File> files = new TreeMap<>();
    List<VolumeProjection> parts = volume.getSources() == null ? List.of() : volume.getSources();
    for (VolumeProjection part : parts) {
      if (part.getConfigMap() != null) {
        var v = part.getConfigMap();
        files.putAll(configMap(v.getName(), v.getItems(), v.getOptional(), mode).byPath());
      } else if (part.getSecret() != null) {
        var v = part.getSecret();
        files.putAll(secret(v.getName(), v.getItems(), v.getOptional(), mode).byPath());
      } else if (part.getDownwardAPI() != null) {
        files.putAll(downward(part.getDownwardAPI().getItems(), mode).byPath());
      } else if (part.getServiceAccountToken() != null) {
        ServiceAccountTokenProjection v = part.getServiceAccountToken();
        long seconds = v.getExpirationSeconds() == null ? TOKEN_SECONDS : v.getExpirationSeconds();
        byte[] token = utf8(sources.token(v.getAudience(), seconds));
        files.put(v.getPath(), new Content.File(token, mode & 0600, false));
      } else {
        throw new StartProblem(
            "CreateContainerConfigError", "The local node cannot project " + part);
      }
    }
    return files;
  }

  private String value(DownwardAPIVolumeFile item) throws StartProblem {
    if (item.getFieldRef() != null) {
      return fields.field(item.getFieldRef().getFieldPath());
    }
    String wanted = item.getResourceFieldRef().getContainerName();
    for (Container container : fields.pod().getSpec().getContainers()) {
      if (container.getName().equals(wanted)) {
        return fields.resource(item.getResourceFieldRef(), container);
      }
    }
    throw new StartProblem("CreateContainerConfigError", "There is no container " + wanted);
  }

  private static Map<String, Content.File> pick(
      Map<String, Content.File> all,
      @Nullable List<KeyToPath> items,
      @Nullable Boolean optional,
      String what)
      throws StartProblem {
    if (items == null || items.isEmpty()) {
      return all;
    }
    Map<String, Content.File> picked = new TreeMap<>();
    for (KeyToPath item : items) {
      Content.File file = all.get(item.getKey());
      if (file != null) {
        int mode = item.getMode() == null ? file.mode() : item.getMode();
        picked.put(item.getPath(), new Content.File(file.bytes(), mode, file.text()));
      } else if (!Boolean.TRUE.equals(optional)) {
        throw new StartProblem(
            "ContainerCreating", what + " references non-existent key: " + item.getKey());
      }
    }
    return picked;
  }

  /** Kubernetes' wording; the container stays in ContainerCreating until the object is there. */
  private static Content.Files missing(String kind, String name, @Nullable Boolean optional)
      throws StartProblem {
    if (Boolean.TRUE.equals(optional)) {
      return new Content.Files(Map.of());
    }
    throw new StartProblem("ContainerCreating", kind + " \"" + name + "\" not found");
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] base64(String data) {
    return Base64.getDecoder().decode(data);
  }
}
