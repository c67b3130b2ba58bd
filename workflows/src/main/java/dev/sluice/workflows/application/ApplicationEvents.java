package dev.sluice.workflows.application;

/** Reasons of events that workflows of an application tell; those of Lyft's operator. */
final class ApplicationEvents {

  static final String CREATING_CLUSTER = "CreatingCluster";
  static final String CLUSTER_SCALE_UP = "ClusterScaleUp";
  static final String SAVEPOINTING_JOB = "SavepointingJob";
  static final String CANCELLING_JOB = "CancellingJob";
  static final String SAVEPOINT_COMPLETED = "SavepointCompleted";
  static final String SAVEPOINT_FAILED = "SavepointFailed";
  static final String CANCELED_JOB = "CanceledJob";
  static final String RESTORING_CHECKPOINT = "RestoringExternalizedCheckpoint";
  static final String RESTORING_WITHOUT_CHECKPOINT = "RestoringWithoutExternalizedCheckpoint";
  static final String JOB_SUBMITTED = "JobSubmitted";
  static final String DEPLOY_FAILED = "DeployFailed";
  static final String ROLLBACK_SUCCEEDED = "RollbackSucceeded";
  static final String TORE_DOWN_CLUSTER = "ToreDownCluster";
  static final String TEARDOWN_INITIATED = "TeardownInitated";
  static final String TEARDOWN_COMPLETED = "TeardownCompleted";
  static final String FORCE_CANCELING = "ForceCanceling";

  private ApplicationEvents() {}
}
