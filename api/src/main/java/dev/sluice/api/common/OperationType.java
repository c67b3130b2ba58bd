package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.stream.Stream;

/** The kind of change a workflow makes to a resource. */
public enum OperationType {
  /** First start of a cluster and its job. */
  DEPLOY("Deploy"),

  /** From the deployed spec to a newer one. */
  UPGRADE("Upgrade"),

  /** Run the job with another parallelism, without stopping it. */
  RESCALE("Rescale"),

  /** Stop the job and keep its state. */
  SUSPEND("Suspend"),

  /** Start a suspended job from its state. */
  RESUME("Resume"),

  /** Back to the last spec that was stable. */
  ROLLBACK("Rollback"),

  /** Bring back what was lost, with the same spec. */
  RECOVER("Recover"),

  /** A job without high availability has finished: keep Kubernetes from running it again. */
  FINISH("Finish"),

  /** Take a savepoint or checkpoint of a job that runs on. */
  SNAPSHOT("Snapshot"),

  /** Replace the live child of a blue/green deployment by one of the newest spec. */
  TRANSITION("Transition"),

  /** Remove one of the two versions of an application that run. */
  TEAR_DOWN("TearDown"),

  /** Remove everything the resource owns. */
  DELETE("Delete");

  private final String wire;

  OperationType(String wire) {
    this.wire = wire;
  }

  /** The one of that spelling; empty for one that is not known here. */
  public static Optional<OperationType> of(String wire) {
    return Stream.of(values()).filter(type -> type.wire.equals(wire)).findFirst();
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  @Override
  public String toString() {
    return wire;
  }
}
