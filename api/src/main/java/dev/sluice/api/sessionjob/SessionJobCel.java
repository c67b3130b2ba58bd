package dev.sluice.api.sessionjob;

/**
 * Rules that the API server checks, with the caution of those of FlinkDeployment: none may block an
 * update of only the status or the finalizers, so that what compares with the old resource bites
 * only where something was deployed.
 */
final class SessionJobCel {
  private static final String NOT_DEPLOYED =
      "!self.?status.?reconciliationStatus.?lastReconciledSpec.hasValue()";

  static final String SPEC = "has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))";

  static final String DEPLOYMENT_NAME =
      NOT_DEPLOYED
          + " || !has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.deploymentName)"
          + " || (has(self.spec.deploymentName)"
          + " && self.spec.deploymentName == oldSelf.spec.deploymentName)";

  static final String REDEPLOY =
      NOT_DEPLOYED
          + " || !self.?spec.?job.?savepointRedeployNonce.hasValue()"
          + " || self.?spec.?job.?initialSavepointPath.orValue('') != ''"
          + " || self.?spec.?job.?flinkStateSnapshotReference.hasValue()"
          + " || self.?spec.?job.?savepointRedeployNonce"
          + " == oldSelf.?spec.?job.?savepointRedeployNonce";

  private SessionJobCel() {}
}
