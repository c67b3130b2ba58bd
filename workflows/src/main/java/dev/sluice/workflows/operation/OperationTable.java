package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which workflow type carries out which operation of which kind: one row per kind of lane. */
public final class OperationTable {

  private static final Map<String, Map<OperationType, String>> OPERATIONS =
      Map.of(
          "FlinkDeployment",
          byTheirNames(
              OperationType.DEPLOY,
              OperationType.UPGRADE,
              OperationType.SUSPEND,
              OperationType.RESUME,
              OperationType.ROLLBACK,
              OperationType.RECOVER,
              OperationType.FINISH,
              OperationType.DELETE),
          "FlinkStateSnapshot",
          ofSnapshots(),
          "FlinkDeployment-savepoint",
          ofSnapshots(),
          "FlinkDeployment-checkpoint",
          ofSnapshots());

  private OperationTable() {}

  private static Map<OperationType, String> ofSnapshots() {
    return Map.of(OperationType.SNAPSHOT, "Snapshot", OperationType.DELETE, "DisposeSnapshot");
  }

  private static Map<OperationType, String> byTheirNames(OperationType... operations) {
    return Stream.of(operations)
        .collect(Collectors.toUnmodifiableMap(Function.identity(), OperationType::wire));
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
