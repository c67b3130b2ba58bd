package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container's own environment: {@code envFrom}, then {@code env} in its order.
 *
 * @param fields the pod's fields
 * @param sources the pod's ConfigMaps and Secrets
 */
record Environment(PodFields fields, Sources sources) {
  private static final String PROBLEM = "CreateContainerConfigError";

  /**
   * The variables the container asks for, references between them replaced.
   *
   * @param given what there is already (of the node and the image): values may refer to it
   * @throws StartProblem when a ConfigMap, Secret or key is missing that is not optional
   */
  Map<String, String> of(Container container, Map<String, String> given) throws StartProblem {
    Map<String, String> own = new LinkedHashMap<>();
    List<EnvFromSource> from = container.getEnvFrom();
    for (EnvFromSource source : from == null ? List.<EnvFromSource>of() : from) {
      String prefix = source.getPrefix() == null ? "" : source.getPrefix();
      from(source).forEach((key, value) -> own.put(prefix + key, Sources.text(value)));
    }
    List<EnvVar> variables = container.getEnv();
    for (EnvVar variable : variables == null ? List.<EnvVar>of() : variables) {
      if (variable.getValueFrom() != null) {
        value(variable.getValueFrom()).ifPresent(found -> own.put(variable.getName(), found));
      } else {
        Map<String, String> known = new LinkedHashMap<>(given);
        known.putAll(own);
        String value = variable.getValue() == null ? "" : variable.getValue();
        own.put(variable.getName(), Expansion.expand(value, known));
      }
    }
    return own;
  }

  private Map<String, byte[]> from(EnvFromSource source) throws StartProblem {
    if (source.getConfigMapRef() != null) {
      var ref = source.getConfigMapRef();
      return sources.read(Sources.Kind.CONFIGMAP, ref.getName(), ref.getOptional(), PROBLEM);
    }
    if (source.getSecretRef() != null) {
      var ref = source.getSecretRef();
      return sources.read(Sources.Kind.SECRET, ref.getName(), ref.getOptional(), PROBLEM);
    }
    return Map.of();
  }

  private Optional<String> value(EnvVarSource source) throws StartProblem {
    if (source.getFieldRef() != null) {
      return Optional.of(fields.field(source.getFieldRef().getFieldPath()));
    }
    if (source.getConfigMapKeyRef() != null) {
      ConfigMapKeySelector ref = source.getConfigMapKeyRef();
      return key(Sources.Kind.CONFIGMAP, ref.getName(), ref.getKey(), ref.getOptional());
    }
    if (source.getSecretKeyRef() != null) {
      SecretKeySelector ref = source.getSecretKeyRef();
      return key(Sources.Kind.SECRET, ref.getName(), ref.getKey(), ref.getOptional());
    }
    throw new StartProblem(PROBLEM, "The local node cannot read " + source);
  }

  private Optional<String> key(
      Sources.Kind kind, String name, String key, @Nullable Boolean optional) throws StartProblem {
    byte[] value = sources.read(kind, name, optional, PROBLEM).get(key);
    if (value == null && !Boolean.TRUE.equals(optional)) {
      throw new StartProblem(
          PROBLEM, "couldn't find key %s in %s %s".formatted(key, kind.word(), name));
    }
    return Optional.ofNullable(value).map(Sources::text);
  }
}
