package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A container's own environment: {@code envFrom}, then {@code env} in its order. */
public final class Environment {
  private final PodFields fields;
  private final Sources sources;

  public Environment(PodFields fields, Sources sources) {
    this.fields = fields;
    this.sources = sources;
  }

  /**
   * The variables the container asks for, references between them replaced.
   *
   * @param given what there is already (of the node and the image): values may refer to it
   * @throws StartProblem when a ConfigMap, Secret or key is missing that is not optional
   */
  public Map<String, String> of(Container container, Map<String, String> given)
      throws StartProblem {
    Map<String, String> own = new LinkedHashMap<>();
    for (EnvFromSource source : orEmpty(container.getEnvFrom())) {
      String prefix = source.getPrefix() == null ? "" : source.getPrefix();
      from(source).forEach((key, value) -> own.put(prefix + key, value));
    }
    for (EnvVar variable : orEmpty(container.getEnv())) {
      if (variable.getValueFrom() != null) {
        Optional<String> value = value(variable.getValueFrom(), container);
        value.ifPresent(found -> own.put(variable.getName(), found));
      } else {
        Map<String, String> known = new LinkedHashMap<>(given);
        known.putAll(own);
        String value = variable.getValue() == null ? "" : variable.getValue();
        own.put(variable.getName(), Expansion.expand(value, known));
      }
    }
    return own;
  }

  private Map<String, String> from(EnvFromSource source) throws StartProblem {
    if (source.getConfigMapRef() != null) {
      String name = source.getConfigMapRef().getName();
      return configMap(name, source.getConfigMapRef().getOptional());
    }
    if (source.getSecretRef() != null) {
      return secret(source.getSecretRef().getName(), source.getSecretRef().getOptional());
    }
    return Map.of();
  }

  private Optional<String> value(EnvVarSource source, Container container) throws StartProblem {
    if (source.getFieldRef() != null) {
      return Optional.of(fields.field(source.getFieldRef().getFieldPath()));
    }
    if (source.getResourceFieldRef() != null) {
      return Optional.of(fields.resource(source.getResourceFieldRef(), container));
    }
    if (source.getConfigMapKeyRef() != null) {
      ConfigMapKeySelector ref = source.getConfigMapKeyRef();
      Map<String, String> data = configMap(ref.getName(), ref.getOptional());
      return key(data, ref.getKey(), ref.getOptional(), "ConfigMap " + ref.getName());
    }
    if (source.getSecretKeyRef() != null) {
      SecretKeySelector ref = source.getSecretKeyRef();
      Map<String, String> data = secret(ref.getName(), ref.getOptional());
      return key(data, ref.getKey(), ref.getOptional(), "Secret " + ref.getName());
    }
    throw new StartProblem("CreateContainerConfigError", "The local node cannot read " + source);
  }

  private Map<String, String> configMap(String name, @Nullable Boolean optional)
      throws StartProblem {
    var found = sources.configMap(name);
    require(found.isPresent(), optional, "configmap \"" + name + "\" not found");
    return found
        .map(map -> map.getData() == null ? Map.<String, String>of() : map.getData())
        .orElse(Map.of());
  }

  private Map<String, String> secret(String name, @Nullable Boolean optional) throws StartProblem {
    var found = sources.secret(name);
    require(found.isPresent(), optional, "secret \"" + name + "\" not found");
    Map<String, String> decoded = new LinkedHashMap<>();
    if (found.isPresent() && found.get().getData() != null) {
      found.get().getData().forEach((key, value) -> decoded.put(key, decode(value)));
    }
    return decoded;
  }

  private static Optional<String> key(
      Map<String, String> data, String key, @Nullable Boolean optional, String what)
      throws StartProblem {
    require(data.containsKey(key), optional, "couldn't find key " + key + " in " + what);
    return Optional.ofNullable(data.get(key));
  }

  private static void require(boolean found, @Nullable Boolean optional, String problem)
      throws StartProblem {
    if (!found && !Boolean.TRUE.equals(optional)) {
      throw new StartProblem("CreateContainerConfigError", problem);
    }
  }

  private static String decode(String value) {
    return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
  }

  private static <T> java.util.List<T> orEmpty(java.util.@Nullable List<T> list) {
    return list == null ? java.util.List.of() : list;
  }
}
