package dev.sluice.local.node.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A container's own environment: {@code envFrom}, then {@code env} in its order.
 *
 * @param pod the pod, whose fields its containers can read (the downward API)
 * @param ip the pod's address
 * @param sources the pod's ConfigMaps and Secrets
 */
record Environment(Pod pod, String ip, Sources sources) {
  private static final String PROBLEM = "CreateContainerConfigError";
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$|\\$\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\)");

  /**
   * The variables the container asks for, references between them replaced.
   *
   * @param given what there is already (of the node and the image): values may refer to it
   * @throws StartProblem when a ConfigMap, Secret or key is missing that is not optional
   */
  Map<String, String> of(Container container, Map<String, String> given) throws StartProblem {
    Map<String, String> own = new LinkedHashMap<>();
    for (EnvFromSource source : container.getEnvFrom()) {
      String prefix = source.getPrefix() == null ? "" : source.getPrefix();
      from(source).forEach((key, value) -> own.put(prefix + key, new String(value, UTF_8)));
    }
    for (EnvVar variable : container.getEnv()) {
      if (variable.getValueFrom() != null) {
        value(variable.getValueFrom()).ifPresent(found -> own.put(variable.getName(), found));
      } else {
        Map<String, String> known = new LinkedHashMap<>(given);
        known.putAll(own);
        String value = variable.getValue() == null ? "" : variable.getValue();
        own.put(variable.getName(), expand(value, known));
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
      return Optional.of(field(source.getFieldRef().getFieldPath()));
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
      throw new StartProblem(PROBLEM, "couldn't find key %s in %s %s".formatted(key, kind, name));
    }
    return Optional.ofNullable(value).map(bytes -> new String(bytes, UTF_8));
  }

  /** The value of a field path such as {@code metadata.labels['app']}; "" for a missing label. */
  private String field(String path) throws StartProblem {
    int bracket = path.indexOf("['");
    String key = bracket > 0 ? path.substring(bracket + 2, path.length() - 2) : "";
    String account = pod.getSpec().getServiceAccountName();
    return switch (bracket > 0 ? path.substring(0, bracket) : path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      case "metadata.uid" -> pod.getMetadata().getUid();
      case "metadata.labels" -> pod.getMetadata().getLabels().getOrDefault(key, "");
      case "metadata.annotations" -> pod.getMetadata().getAnnotations().getOrDefault(key, "");
      case "spec.nodeName" -> Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
      case "spec.serviceAccountName" -> Objects.requireNonNullElse(account, "default");
      case "status.podIP", "status.podIPs" -> ip;
      case "status.hostIP", "status.hostIPs" -> "127.0.0.1";
      default -> throw new StartProblem(PROBLEM, "The local node does not know the field " + path);
    };
  }

  /**
   * Kubernetes' {@code $(NAME)} in commands, arguments and values: replaced when the variable is
   * known, left as it is when not; {@code $$(NAME)} means a plain {@code $(NAME)}.
   */
  static String expand(String text, Map<String, String> variables) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null
                        ? "$"
                        : variables.getOrDefault(match.group(1), match.group())));
  }
}
