package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;
import java.util.Map;
import java.util.Set;

/** Which workflow type carries out which operation of which kind: one row per kind. */
public final class OperationTable {

  private static final Map<String, Set<OperationType>> OPERATIONS =
      Map.of(
          "FlinkDeployment",
          Set.of(
              OperationType.DEPLOY,
              OperationType.UPGRADE,
              OperationType.SUSPEND,
              OperationType.RESUME,
              OperationType.ROLLBACK,
              OperationType.RECOVER,
              OperationType.FINISH,
              OperationType.DELETE));

  private OperationTable() {}

  /**
   * The workflow type.
   *
   * @throws IllegalArgumentException when the kind has no such operation
   */
  public static String workflowType(String kind, OperationType operation) {
    if (!OPERATIONS.getOrDefault(kind, Set.of()).contains(operation)) {
      throw new IllegalArgumentException(kind + " has no operation " + operation.wire());
    }
    return operation.wire();
  }
}
