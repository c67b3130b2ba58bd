package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The job of an application cluster. */
@JsonRecord
@WithMethods
public record JobSpec(
    @JsonPropertyDescription(
            "Where the jar is, for example local:///opt/flink/usrlib/job.jar in the image. Without it entryClass must be on the class path.")
        @Nullable String jarURI,
    @JsonPropertyDescription("Parallelism of the job. Not used when taskManager.replicas is given.")
        @Min(0)
        @Max(32_768)
        int parallelism,
    @JsonPropertyDescription("Main class. Default: the one in the manifest of the jar.")
        @Nullable String entryClass,
    @JsonPropertyDescription("Arguments of the main method.") List<String> args,
    @JsonPropertyDescription("running (default) or suspended.") DesiredJobState state,
    @JsonPropertyDescription(
            "Change it to another number to take a savepoint. Deprecated: use a FlinkStateSnapshot.")
        @Nullable Long savepointTriggerNonce,
    @JsonPropertyDescription(
            "Savepoint the job starts from the first time, and when savepointRedeployNonce changes. Deprecated: use flinkStateSnapshotReference.")
        @Nullable String initialSavepointPath,
    @JsonPropertyDescription("FlinkStateSnapshot to start from, instead of initialSavepointPath.")
        @Nullable SnapshotReference flinkStateSnapshotReference,
    @JsonPropertyDescription(
            "Change it to another number to take a checkpoint. Deprecated: use a FlinkStateSnapshot.")
        @Nullable Long checkpointTriggerNonce,
    @JsonPropertyDescription(
            "How state is carried over when the spec changes: stateless (default), savepoint or last-state.")
        UpgradeMode upgradeMode,
    @JsonPropertyDescription("Start even when some of the state fits no operator of the job.")
        @Nullable Boolean allowNonRestoredState,
    @JsonPropertyDescription(
            "Change it to another number to redeploy from initialSavepointPath; current state is thrown away.")
        @Nullable Long savepointRedeployNonce,
    @JsonPropertyDescription("Change it to another number to clear what the autoscaler has learnt.")
        @Nullable Long autoscalerResetNonce)
    implements JobSpecBuilder.With {

  public JobSpec {
    args = Json.copyOrEmpty(args);
    state = state == null ? DesiredJobState.RUNNING : state;
    upgradeMode = upgradeMode == null ? UpgradeMode.STATELESS : upgradeMode;
  }

  /** A job with a jar and a parallelism, everything else default. */
  public static JobSpec of(String jarURI, int parallelism, UpgradeMode upgradeMode) {
    return JobSpecBuilder.builder()
        .jarURI(jarURI)
        .parallelism(parallelism)
        .upgradeMode(upgradeMode)
        .build();
  }

  /**
   * What the job starts from the first time; null for nothing, and for a snapshot that was not
   * looked up.
   */
  @JsonIgnore
  public @Nullable String startPath() {
    if (initialSavepointPath != null && !initialSavepointPath.isBlank()) {
      return initialSavepointPath;
    }
    return flinkStateSnapshotReference == null ? null : flinkStateSnapshotReference.path();
  }

  /** Whether the job is not to run. */
  @JsonIgnore
  public boolean isSuspended() {
    return state == DesiredJobState.SUSPENDED;
  }
}
