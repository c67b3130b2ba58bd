package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An Ingress in front of the REST port of the JobManager. */
@JsonRecord
public record IngressSpec(
    @JsonPropertyDescription(
            "Host and path, for example {{name}}.{{namespace}}.flink.example.com or /{{namespace}}/{{name}}(/|$)(.*).")
        @Required
        @Nullable String template,
    @JsonPropertyDescription("Ingress class.") @Nullable String className,
    @JsonPropertyDescription("Annotations of the Ingress.") Map<String, String> annotations,
    @JsonPropertyDescription("Labels of the Ingress.") Map<String, String> labels,
    @JsonPropertyDescription("TLS hosts and secrets of the Ingress.") List<IngressTLS> tls) {

  public IngressSpec {
    annotations = Json.copyOrEmpty(annotations);
    labels = Json.copyOrEmpty(labels);
    tls = Json.copyOrEmpty(tls);
  }
}
