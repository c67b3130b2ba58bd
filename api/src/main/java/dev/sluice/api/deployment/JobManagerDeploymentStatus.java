package dev.sluice.api.deployment;

/** What is known of the Deployment that runs the JobManager. */
public enum JobManagerDeploymentStatus {
  /** It runs and answers REST calls. */
  READY,

  /** Its pod runs but REST does not answer yet. */
  DEPLOYED_NOT_READY,

  /** Its pod is starting. */
  DEPLOYING,

  /** There is no Deployment. */
  MISSING,

  /** Its pod cannot start without a change of the spec. */
  ERROR
}
