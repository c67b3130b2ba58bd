package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import java.util.Map;

/**
 * Which workflow type carries out which operation of which kind: one row per kind of lane. What
 * else depends on the kind is asked here.
 */
public final class OperationTable {

  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "FlinkBlueGreenDeployment/Delete", "DeleteBlueGreen",
          "FlinkApplication/Deploy", "DeployApplication",
          "FlinkApplication/Rescale", "RescaleApplication",
          "FlinkApplication/TearDown", "TearDownVersion",
          "FlinkApplication/Recover", "RecoverApplication",
          "FlinkApplication/Delete", "DeleteApplication",
          "FlinkStateSnapshot/Delete", "Snapshot");

  private OperationTable() {}

  /**
   * Whether the job of a resource of that kind has a cluster of its own, which its operations make
   * and delete; else it is started on one that is there.
   */
  public static boolean ownsCluster(String kind) {
    return !kind.equals("FlinkSessionJob");
  }

  /** The workflow type: mostly the name of the operation. */
  public static String workflowType(ResourceRef resource, OperationType operation) {
    String kind = StatusLane.typeOf(resource).isPresent() ? "FlinkStateSnapshot" : resource.kind();
    return OTHER_NAMES.getOrDefault(kind + "/" + operation.wire(), operation.wire());
  }
}
