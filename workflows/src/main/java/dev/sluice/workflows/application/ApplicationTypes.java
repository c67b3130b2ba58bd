package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationType;

/** The workflow types of the operations on FlinkApplications. */
public final class ApplicationTypes {

  private ApplicationTypes() {}

  public static String of(OperationType operation) {
    return operation == OperationType.TEAR_DOWN
        ? TearDownVersion.TYPE
        : operation.wire() + "Application";
  }
}
