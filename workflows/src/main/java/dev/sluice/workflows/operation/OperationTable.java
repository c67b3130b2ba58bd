package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which workflow type carries out which operation of which kind: one row per kind of lane. What
 * else depends on the kind is asked here.
 */
public final class OperationTable {

  private static final String SESSION_JOB = "FlinkSessionJob";

  private static final Map<String, Map<OperationType, String>> OPERATIONS =
      Map.of(
          "FlinkDeployment",
          byTheirNames(
              OperationType.DEPLOY,
              OperationType.UPGRADE,
              OperationType.RESCALE,
              OperationType.SUSPEND,
              OperationType.RESUME,
              OperationType.ROLLBACK,
              OperationType.RECOVER,
              OperationType.FINISH,
              OperationType.DELETE),
          SESSION_JOB,
          byTheirNames(
              OperationType.DEPLOY,
              OperationType.UPGRADE,
              OperationType.SUSPEND,
              OperationType.RESUME,
              OperationType.ROLLBACK,
              OperationType.RECOVER,
              OperationType.DELETE),
          "FlinkBlueGreenDeployment",
          Map.of(OperationType.TRANSITION, "Transition", OperationType.DELETE, "DeleteBlueGreen"),
          "FlinkApplication",
          Map.of(
              OperationType.DEPLOY,
              "DeployApplication",
              OperationType.RESCALE,
              "RescaleApplication",
              OperationType.TEAR_DOWN,
              "TearDownVersion",
              OperationType.RECOVER,
              "RecoverApplication",
              OperationType.DELETE,
              "DeleteApplication"),
          "FlinkStateSnapshot",
          ofSnapshots(),
          "FlinkDeployment-savepoint",
          ofSnapshots(),
          "FlinkDeployment-checkpoint",
          ofSnapshots(),
          SESSION_JOB + "-savepoint",
          ofSnapshots(),
          SESSION_JOB + "-checkpoint",
          ofSnapshots());

  private OperationTable() {}

  private static Map<OperationType, String> ofSnapshots() {
    return Map.of(OperationType.SNAPSHOT, "Snapshot", OperationType.DELETE, "Snapshot");
  }

  private static Map<OperationType, String> byTheirNames(OperationType... operations) {
    return Stream.of(operations)
        .collect(Collectors.toUnmodifiableMap(Function.identity(), OperationType::wire));
  }

  /**
   * Whether the job of a resource of that kind has a cluster of its own, which its operations make
   * and delete; else it is started on one that is there.
   */
  public static boolean ownsCluster(String kind) {
    return !kind.equals(SESSION_JOB);
  }

  /**
   * The workflow type.
   *
   * @throws IllegalArgumentException when the kind has no such operation
   */
  public static String workflowType(String kind, OperationType operation) {
    String type = OPERATIONS.getOrDefault(kind, Map.of()).get(operation);
    if (type == null) {
      throw new IllegalArgumentException(kind + " has no operation " + operation.wire());
    }
    return type;
  }
}
