package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.Json;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;

/** Environment variables of the container, after those that the operator sets. */
@SchemaCustomizer(value = DeepMerge.class, input = ApplicationSchema.ENVIRONMENT)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record EnvironmentConfig(
    @JsonPropertyDescription("Sources of environment variables.") List<EnvFromSource> envFrom,
    @JsonPropertyDescription("Environment variables.") List<EnvVar> env) {

  /** No variables. */
  public static final EnvironmentConfig NONE = new EnvironmentConfig(List.of(), List.of());

  public EnvironmentConfig {
    envFrom = Json.copyOrEmpty(envFrom);
    env = Json.copyOrEmpty(env);
  }
}
