package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state: a Flink cluster, and on an application cluster its job.
 *
 * <p>Fields, names and defaults are those of Apache's FlinkDeployment. Absent sections read as
 * their defaults, so that an absent and an empty one compare equal.
 */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"properties": {
          "image": {"pattern": "^\\\\S+$", "maxLength": 512},
          "serviceAccount": {
            "pattern":
              "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$",
            "maxLength": 253
          },
          "podTemplate": {"type": "object"},
          "flinkConfiguration": {"type": "object"},
          "logConfiguration": {"maxProperties": 8}
        }}
        """)
@ValidationRule(
    value = "has(self.flinkVersion)",
    fieldPath = ".flinkVersion",
    reason = "FieldValueRequired",
    message = "must be given, for example v1_20: the Flink version in the image")
@ValidationRule(
    value = "!has(self.flinkVersion) || !(self.flinkVersion in ['v1_13', 'v1_14'])",
    fieldPath = ".flinkVersion",
    message = "Flink 1.13 and 1.14 are not supported: use v1_15 or later")
@ValidationRule(
    value = "has(self.serviceAccount) && self.serviceAccount != ''",
    fieldPath = ".serviceAccount",
    reason = "FieldValueRequired",
    message = "must be given: the service account the Flink pods run with")
@ValidationRule(
    value =
        "!has(self.job) || (has(self.taskManager) && has(self.taskManager.replicas))"
            + " || (has(self.job.parallelism) && self.job.parallelism >= 1)",
    fieldPath = ".job",
    message = "parallelism must be at least 1, unless taskManager.replicas is given")
@ValidationRule(
    value =
        "!has(self.logConfiguration) || self.logConfiguration.all(file,"
            + " file in ['log4j-console.properties', 'logback-console.xml'])",
    fieldPath = ".logConfiguration",
    message = "keys must be log4j-console.properties or logback-console.xml")
@JsonRecord
@WithMethods
public record FlinkDeploymentSpec(
    @JsonPropertyDescription(
            "The job of an application cluster. Without it the cluster is a session cluster.")
        @Nullable JobSpec job,
    @JsonPropertyDescription("Change it to another number to restart the cluster.")
        @Nullable Long restartNonce,
    @JsonPropertyDescription("Flink configuration, as flat keys or as nested YAML.")
        @Nullable JsonNode flinkConfiguration,
    @JsonPropertyDescription("Image of the JobManager and TaskManager pods.")
        @Nullable String image,
    @JsonPropertyDescription("Image pull policy of the pods.") @Nullable String imagePullPolicy,
    @JsonPropertyDescription("Service account of the pods. Required.")
        @Nullable String serviceAccount,
    @JsonPropertyDescription("Flink version in the image. Required.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable FlinkVersion flinkVersion,
    @JsonPropertyDescription("Ingress in front of the REST port.") @Nullable IngressSpec ingress,
    @JsonPropertyDescription(
            "Pod that JobManager and TaskManager pods are made from. Unknown fields are kept.")
        @Nullable JsonNode podTemplate,
    @JsonPropertyDescription("JobManager pods.") JobManagerSpec jobManager,
    @JsonPropertyDescription("TaskManager pods.") TaskManagerSpec taskManager,
    @JsonPropertyDescription(
            "Log configuration files: log4j-console.properties, logback-console.xml.")
        Map<String, String> logConfiguration,
    @JsonPropertyDescription("native (default) or standalone. Cannot be changed.")
        KubernetesDeploymentMode mode)
    implements FlinkDeploymentSpecBuilder.With {

  /** The spec of a resource that says nothing. Not valid, but never null. */
  public static final FlinkDeploymentSpec EMPTY = FlinkDeploymentSpecBuilder.builder().build();

  public FlinkDeploymentSpec {
    flinkConfiguration = Json.nullToAbsent(flinkConfiguration);
    podTemplate = Json.withoutNullFields(podTemplate);
    jobManager = jobManager == null ? JobManagerSpec.DEFAULT : jobManager;
    taskManager = taskManager == null ? TaskManagerSpec.DEFAULT : taskManager;
    logConfiguration = Json.copyOrEmpty(logConfiguration);
    mode = mode == null ? KubernetesDeploymentMode.NATIVE : mode;
  }

  /** {@code flinkConfiguration} as flat keys, however it was written. */
  public FlinkConfiguration configuration() {
    return FlinkConfiguration.of(flinkConfiguration);
  }

  /** Whether the cluster runs exactly one job, its own. Otherwise it is a session cluster. */
  @JsonIgnore
  public boolean isApplication() {
    return job != null;
  }

  /** A copy whose Flink configuration has these defaults where it does not say. */
  public FlinkDeploymentSpec over(FlinkConfiguration defaults) {
    return defaults.asMap().isEmpty()
        ? this
        : withConfiguration(defaults.withAll(configuration().asMap()));
  }

  /** A copy with other flat Flink configuration. */
  public FlinkDeploymentSpec withConfiguration(FlinkConfiguration configuration) {
    return withFlinkConfiguration(configuration.toJson());
  }
}
