package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is checked.
 *
 * @param name {@code metadata.name}
 * @param namespace {@code metadata.namespace}; empty when not known yet
 * @param annotations {@code metadata.annotations}
 * @param spec the newest spec on top of the operator's defaults
 * @param configuration its Flink configuration
 * @param last the spec deployed or being deployed; null before the first deployment
 */
record Subject(
    String name,
    String namespace,
    Map<String, String> annotations,
    FlinkDeploymentSpec spec,
    FlinkConfiguration configuration,
    @Nullable FrozenSpec last) {

  static Subject of(ObjectMeta metadata, FlinkDeploymentSpec spec, @Nullable FrozenSpec last) {
    return new Subject(
        Objects.requireNonNullElse(metadata.getName(), ""),
        Objects.requireNonNullElse(metadata.getNamespace(), ""),
        Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()),
        spec,
        spec.configuration(),
        last);
  }

  /** Path of a key of the Flink configuration, as people write it. */
  static String keyPath(String key) {
    return "spec.flinkConfiguration." + key;
  }
}
