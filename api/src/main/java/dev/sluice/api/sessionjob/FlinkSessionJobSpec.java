package dev.sluice.api.sessionjob;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.SpecDiff;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * The desired state: one job, and the session cluster that it runs on.
 *
 * <p>Fields, names and defaults are those of Apache's FlinkSessionJob.
 */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"properties": {
          "deploymentName": {"maxLength": 63},
          "flinkConfiguration": {"type": "object"}
        }}
        """)
@ValidationRule(
    value =
        "has(self.deploymentName) && self.deploymentName.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    fieldPath = ".deploymentName",
    message =
        "must name the FlinkDeployment, in the same namespace, whose session cluster runs the job")
@ValidationRule(
    value = "has(self.job)",
    fieldPath = ".job",
    reason = "FieldValueRequired",
    message = "must be given: a FlinkSessionJob is one job")
@ValidationRule(
    value = "!has(self.job) || (has(self.job.parallelism) && self.job.parallelism >= 1)",
    fieldPath = ".job",
    message = "parallelism must be at least 1")
@JsonRecord
@WithMethods
public record FlinkSessionJobSpec(
    @JsonPropertyDescription(
            "The FlinkDeployment, in the same namespace, whose session cluster runs the job. Cannot be changed.")
        @Nullable String deploymentName,
    @JsonPropertyDescription("The job. Required.") @Nullable JobSpec job,
    @JsonPropertyDescription("Change it to another number to restart the job.")
        @Nullable Long restartNonce,
    @JsonPropertyDescription(
            "Flink configuration of the job, on top of that of the cluster, as flat keys or as nested YAML. Flink 1.17 and later.")
        @Nullable JsonNode flinkConfiguration)
    implements FlinkSessionJobSpecBuilder.With {

  /** The spec of a resource that says nothing. Not valid, but never null. */
  public static final FlinkSessionJobSpec EMPTY = new FlinkSessionJobSpec(null, null, null, null);

  public FlinkSessionJobSpec {
    flinkConfiguration = Json.nullToAbsent(flinkConfiguration);
  }

  /** {@code flinkConfiguration} as flat keys, however it was written. */
  public FlinkConfiguration configuration() {
    return FlinkConfiguration.of(flinkConfiguration);
  }

  /** The spec of a cluster that says nothing but what this does. */
  public FlinkDeploymentSpec asDeployment() {
    return FlinkDeploymentSpec.EMPTY
        .withJob(job)
        .withRestartNonce(restartNonce)
        .withFlinkConfiguration(flinkConfiguration);
  }

  /** Whether the job is not to run. */
  @JsonIgnore
  public boolean isSuspended() {
    return job != null && job.isSuspended();
  }

  /**
   * What {@code desired} changes, and what that requires. Defaults that are written out, and nested
   * or flat configuration, make no difference.
   */
  public SpecDiff changesTo(FlinkSessionJobSpec desired) {
    return SpecDiff.between(asDeployment(), desired.asDeployment());
  }
}
