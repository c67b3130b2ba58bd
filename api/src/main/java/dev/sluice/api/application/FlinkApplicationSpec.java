package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The desired state: a job, and the cluster that is made for each version of it.
 *
 * <p>Fields, names and defaults are those of Lyft's FlinkApplication; {@code
 * savepointRedeployNonce} and {@code promotion} are ours. What is absent reads as its default, so
 * that both compare equal.
 */
@SchemaCustomizer(value = DeepMerge.class, input = ApplicationSchema.SPEC)
@ValidationRule(
    value =
        "!has(self.savepointRedeployNonce) || (has(self.savepointPath) && self.savepointPath != '')",
    fieldPath = ".savepointPath",
    reason = "FieldValueRequired",
    message = "must name the savepoint to start from when savepointRedeployNonce is given")
@ValidationRule(
    value =
        "!has(self.scaleMode) || self.scaleMode != 'InPlace' || !has(self.deploymentMode)"
            + " || self.deploymentMode != 'BlueGreen'",
    fieldPath = ".scaleMode",
    message = "InPlace needs deploymentMode Dual")
@ValidationRule(
    value =
        "!has(self.promotion) || (has(self.deploymentMode) && self.deploymentMode == 'BlueGreen')",
    fieldPath = ".promotion",
    message = "needs deploymentMode BlueGreen")
@JsonRecord
@WithMethods
public record FlinkApplicationSpec(
    @JsonPropertyDescription("Image of all pods. It has the jar among its uploaded jars.")
        @Nullable String image,
    @JsonPropertyDescription("Image pull policy of the pods.") String imagePullPolicy,
    @JsonPropertyDescription("Secrets that the image is pulled with.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<LocalObjectReference> imagePullSecrets,
    @JsonPropertyDescription("Service account of the pods.") @Nullable String serviceAccountName,
    @JsonPropertyDescription("Security context of the pods.")
        @Nullable PodSecurityContext securityContext,
    @JsonPropertyDescription("Flink configuration, as flat keys or as nested YAML.")
        @Nullable JsonNode flinkConfig,
    @JsonPropertyDescription("Flink version in the image, for example 1.20.")
        @Nullable String flinkVersion,
    @JsonPropertyDescription("JobManager pods.") JobManagerConfig jobManagerConfig,
    @JsonPropertyDescription("TaskManager pods.") TaskManagerConfig taskManagerConfig,
    @JsonPropertyDescription("File name of the jar, in the web upload directory of the image.")
        @Nullable String jarName,
    @JsonPropertyDescription("Parallelism of the job.") @Nullable Integer parallelism,
    @JsonPropertyDescription("Main class of the job.") @Nullable String entryClass,
    @JsonPropertyDescription("Arguments of the main class, in one string.")
        @Nullable String programArgs,
    @JsonPropertyDescription("Deprecated: use savepointPath.")
        @Nullable NamedSavepoint savepointInfo,
    @JsonPropertyDescription(
            "Savepoint that the first deployment starts from, and later ones when savepointRedeployNonce changes.")
        @Nullable String savepointPath,
    @JsonPropertyDescription(
            "Change it to another number to start the job from savepointPath, whatever state the old one has.")
        @Nullable Long savepointRedeployNonce,
    @JsonPropertyDescription(
            "Cancel the old job without a savepoint; the new one starts without state.")
        boolean savepointDisabled,
    @JsonPropertyDescription("Dual or BlueGreen. Cannot be changed once deployed.")
        DeploymentMode deploymentMode,
    @JsonPropertyDescription("RPC port of the JobManager.") Integer rpcPort,
    @JsonPropertyDescription("Port of queryable state.") Integer queryPort,
    @JsonPropertyDescription("Port of the BLOB server.") Integer blobPort,
    @JsonPropertyDescription("Port of the web UI and the REST API.") Integer uiPort,
    @JsonPropertyDescription("Port of the metrics query service.") Integer metricsQueryPort,
    @JsonPropertyDescription("Volumes of all pods.") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<JsonNode> volumes,
    @JsonPropertyDescription("Where all pods mount them.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<VolumeMount> volumeMounts,
    @JsonPropertyDescription("Change it to another text to deploy the same again.")
        @Nullable String restartNonce,
    @JsonPropertyDescription("What becomes of the job when the application is deleted.")
        DeleteMode deleteMode,
    @JsonPropertyDescription("What a higher parallelism is deployed to.") ScaleMode scaleMode,
    @JsonPropertyDescription("Leave out state that the job has no operator for.")
        boolean allowNonRestoredState,
    @JsonPropertyDescription("Give up a deployment in progress. While true no other one begins.")
        boolean forceRollback,
    @JsonPropertyDescription(
            "How old a checkpoint may be that the job starts from where no savepoint can be taken.")
        Integer maxCheckpointRestoreAgeSeconds,
    @JsonPropertyDescription("BlueGreen: hash of the version, of two that run, to tear down.")
        @Nullable String tearDownVersionHash,
    @JsonPropertyDescription(
            "Start without state where neither a savepoint nor a checkpoint can be had.")
        boolean fallbackWithoutState,
    @JsonPropertyDescription(
            "BlueGreen: tear the old version down by itself, once the new one has proved itself.")
        @Nullable Promotion promotion)
    implements FlinkApplicationSpecBuilder.With {

  private static final int RPC_PORT = 6123;
  private static final int QUERY_PORT = 6124;
  private static final int BLOB_PORT = 6125;
  private static final int UI_PORT = 8081;
  private static final int METRICS_QUERY_PORT = 50101;
  private static final int CHECKPOINT_AGE_SECONDS = 3600;

  /** The spec of a resource that says nothing. Not valid, but never null. */
  public static final FlinkApplicationSpec EMPTY = FlinkApplicationSpecBuilder.builder().build();

  public FlinkApplicationSpec {
    imagePullPolicy = Objects.requireNonNullElse(imagePullPolicy, "IfNotPresent");
    imagePullSecrets = Json.copyOrEmpty(imagePullSecrets);
    flinkConfig = Json.nullToAbsent(flinkConfig);
    jobManagerConfig = Objects.requireNonNullElse(jobManagerConfig, JobManagerConfig.DEFAULT);
    taskManagerConfig = Objects.requireNonNullElse(taskManagerConfig, TaskManagerConfig.DEFAULT);
    deploymentMode = Objects.requireNonNullElse(deploymentMode, DeploymentMode.DUAL);
    rpcPort = Objects.requireNonNullElse(rpcPort, RPC_PORT);
    queryPort = Objects.requireNonNullElse(queryPort, QUERY_PORT);
    blobPort = Objects.requireNonNullElse(blobPort, BLOB_PORT);
    uiPort = Objects.requireNonNullElse(uiPort, UI_PORT);
    metricsQueryPort = Objects.requireNonNullElse(metricsQueryPort, METRICS_QUERY_PORT);
    volumes = Json.copyOrEmpty(volumes);
    volumeMounts = Json.copyOrEmpty(volumeMounts);
    deleteMode = Objects.requireNonNullElse(deleteMode, DeleteMode.SAVEPOINT);
    scaleMode = Objects.requireNonNullElse(scaleMode, ScaleMode.NEW_CLUSTER);
    maxCheckpointRestoreAgeSeconds =
        Objects.requireNonNullElse(maxCheckpointRestoreAgeSeconds, CHECKPOINT_AGE_SECONDS);
  }

  /** {@code flinkConfig} as flat keys, however it was written. */
  public FlinkConfiguration configuration() {
    return FlinkConfiguration.of(flinkConfig);
  }

  /** The savepoint that the spec names, by either field; null for none. */
  @JsonIgnore
  public @Nullable String namedSavepoint() {
    if (savepointPath != null && !savepointPath.isBlank()) {
      return savepointPath;
    }
    String older = savepointInfo == null ? null : savepointInfo.savepointLocation();
    return older == null || older.isBlank() ? null : older;
  }

  /** Whether two versions run next to each other. */
  @JsonIgnore
  public boolean isBlueGreen() {
    return deploymentMode == DeploymentMode.BLUE_GREEN;
  }
}
