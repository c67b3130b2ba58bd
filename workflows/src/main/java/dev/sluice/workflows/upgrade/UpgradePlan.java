package dev.sluice.workflows.upgrade;

import org.jspecify.annotations.Nullable;

/** How a resource gets to its newest spec: what becomes of the job that is there, and its state. */
public sealed interface UpgradePlan {

  /** One line for people: why this plan. */
  String why();

  /** The newest spec runs already. */
  record NothingToDo(String why) implements UpgradePlan {}

  /** The job's state cannot be told yet: look again, with patience. */
  record Settle(String why) implements UpgradePlan {}

  /**
   * Stop the job with a savepoint and restore from it.
   *
   * @param jobId the job
   */
  record TakeSavepoint(String jobId, String why) implements UpgradePlan {}

  /**
   * The job cannot take a savepoint: cancel it and restore from its newest checkpoint.
   *
   * @param jobId the job
   */
  record KeepCheckpoint(String jobId, String why) implements UpgradePlan {}

  /**
   * No job has to be stopped; what is left of the cluster goes.
   *
   * @param path the state to restore from; null only when there never was any, or it was given up
   *     by a stateless upgrade
   */
  record StartFrom(@Nullable String path, String why) implements UpgradePlan {}

  /**
   * The spec says stateless: the job ends and its state is given up.
   *
   * @param jobId the job to cancel; null when none runs
   * @param startFrom what the spec names for the very first start, as long as nothing was ever
   *     stable; else null
   */
  record Discard(@Nullable String jobId, @Nullable String startFrom, String why)
      implements UpgradePlan {}

  /** The job's state cannot be found: a person decides. */
  record Park(String why) implements UpgradePlan {}
}
