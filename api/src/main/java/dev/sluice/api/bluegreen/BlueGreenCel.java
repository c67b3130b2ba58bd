package dev.sluice.api.bluegreen;

/**
 * Rules that the API server checks, with the caution of those of FlinkDeployment: none may block an
 * update of only the status or the finalizers, so that those on names and presence look at new
 * resources only. Those of the template are FlinkDeployment's own, and come with its type.
 */
final class BlueGreenCel {
  private static final String NOT_REACHED = "!self.?status.?lastReconciledSpec.hasValue()";

  /** 45 characters, as of any FlinkDeployment, without {@code -green}. */
  static final String NAME =
      "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,37}[a-z0-9])?$')";

  static final String JOB =
      "oldSelf.hasValue() || !has(self.spec) || self.spec.?template.?spec.?job.hasValue()";

  static final String REDEPLOY =
      NOT_REACHED
          + " || !self.?spec.?template.?spec.?job.?savepointRedeployNonce.hasValue()"
          + " || self.?spec.?template.?spec.?job.?initialSavepointPath.orValue('') != ''"
          + " || self.?spec.?template.?spec.?job.?flinkStateSnapshotReference.hasValue()"
          + " || self.?spec.?template.?spec.?job.?savepointRedeployNonce"
          + " == oldSelf.?spec.?template.?spec.?job.?savepointRedeployNonce";

  private BlueGreenCel() {}
}
