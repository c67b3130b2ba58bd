package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it was read at one moment. Nothing here asks anybody, and nothing fails because of
 * what stands in the status: a spec there that cannot be read counts as absent.
 */
public interface StoredResource {

  /** Its metadata, with uid and resourceVersion. */
  ObjectMeta metadata();

  /** The part of its status that belongs to the workflow. */
  OwnedStatus status();

  /** What a workflow decides from. */
  ObservedResource observed();

  /** The cluster that it has, or would have. */
  ClusterRef cluster();

  /** Where its job runs, if that is on the cluster of another resource; else empty. */
  default Optional<HostedJob> hosted() {
    return Optional.empty();
  }

  TargetSpec newest();

  /** A spec that this resource had; empty when it cannot be read. */
  Optional<TargetSpec> parsed(String json);

  /**
   * The configuration that the operator itself goes by: of the newest spec, so that its keys take
   * effect without an operation, over the defaults that it was deployed with. The deployed one
   * while the newest spec is not valid, and the newest one as long as none was deployed.
   */
  FlinkConfiguration operatorConfiguration();

  /** Why the newest spec is not valid, with the fields' paths; null when it is valid. */
  @Nullable String problem();

  /**
   * What must be so before a job of it counts as stable; empty when that is said in a way that
   * cannot be understood.
   */
  Optional<StableAfter> stableAfter();

  /** The spec that is deployed, or being deployed; empty when none is, or it cannot be read. */
  Optional<TargetSpec> frozen();

  /** The last spec that was stable; empty when none was, or it cannot be read. */
  Optional<TargetSpec> stable();

  /**
   * The spec that its job runs with now; that of a cluster of another resource counts as that
   * cluster was made, which may be about to be replaced.
   *
   * @param jobManager Deployment of the JobManager that runs the job; null when there is none
   * @param generation that the job was made for; null when it does not say
   */
  default Optional<TargetSpec> running(@Nullable Deployment jobManager, @Nullable Long generation) {
    return RunningCluster.spec(this, generation);
  }
}
