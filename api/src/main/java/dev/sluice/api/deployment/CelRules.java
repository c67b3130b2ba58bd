package dev.sluice.api.deployment;

/**
 * CEL rules over the whole resource, written into the CRD. They need Kubernetes 1.30 or later.
 *
 * <p>None may refuse what Apache's operator accepts, nor an update of only the status or the
 * finalizers of a resource that was there before the rule: those on names and presence look at new
 * resources only, and those that compare with the old resource bite only where something was
 * deployed.
 */
final class CelRules {
  private static final String NOT_DEPLOYED =
      "!self.?status.?reconciliationStatus.?lastReconciledSpec.hasValue()";

  static final String NAME =
      "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$')";

  static final String SPEC = "has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))";

  /** Compared with a literal each: the API server finds comparing two strings too costly. */
  static final String MODE =
      NOT_DEPLOYED
          + " || (self.?spec.?mode.orValue('native') == 'native')"
          + " == (oldSelf.?spec.?mode.orValue('native') == 'native')";

  static final String CLUSTER_TYPE =
      NOT_DEPLOYED + " || self.?spec.?job.hasValue() == oldSelf.?spec.?job.hasValue()";

  static final String REDEPLOY =
      NOT_DEPLOYED
          + " || !self.?spec.?job.?savepointRedeployNonce.hasValue()"
          + " || self.?spec.?job.?initialSavepointPath.orValue('') != ''"
          + " || self.?spec.?job.?flinkStateSnapshotReference.hasValue()"
          + " || self.?spec.?job.?savepointRedeployNonce"
          + " == oldSelf.?spec.?job.?savepointRedeployNonce";

  private CelRules() {}
}
