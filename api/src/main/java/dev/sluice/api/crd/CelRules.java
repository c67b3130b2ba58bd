package dev.sluice.api.crd;

/**
 * CEL rules over a whole FlinkDeployment or FlinkSessionJob, written into its definition. They need
 * Kubernetes 1.30 or later.
 *
 * <p>None may refuse what Apache's operator accepts, nor an update of only the status or the
 * finalizers of a resource that was there before the rule: those on names and presence look at new
 * resources only, and those that compare with the old resource bite only where something was
 * deployed.
 */
public final class CelRules {
  private static final String NOT_DEPLOYED =
      "!self.?status.?reconciliationStatus.?lastReconciledSpec.hasValue()";

  /** Of a FlinkDeployment. */
  public static final String NAME =
      "oldSelf.hasValue() || self.metadata.name.matches('^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$')";

  /** Apache's operator accepts canaries without one; no rule of CEL can read their label. */
  public static final String KEEPS_SPEC = "has(self.spec) || !has(oldSelf.spec)";

  /** Of the other kinds. */
  public static final String SPEC =
      "has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))";

  /** Compared with a literal each: the API server finds comparing two strings too costly. */
  public static final String MODE =
      NOT_DEPLOYED
          + " || (self.?spec.?mode.orValue('native') == 'native')"
          + " == (oldSelf.?spec.?mode.orValue('native') == 'native')";

  public static final String CLUSTER_TYPE =
      NOT_DEPLOYED + " || self.?spec.?job.hasValue() == oldSelf.?spec.?job.hasValue()";

  public static final String REDEPLOY =
      NOT_DEPLOYED
          + " || !self.?spec.?job.?savepointRedeployNonce.hasValue()"
          + " || self.?spec.?job.?initialSavepointPath.orValue('') != ''"
          + " || self.?spec.?job.?flinkStateSnapshotReference.hasValue()"
          + " || self.?spec.?job.?savepointRedeployNonce"
          + " == oldSelf.?spec.?job.?savepointRedeployNonce";

  /** Of a FlinkSessionJob. */
  public static final String DEPLOYMENT_NAME =
      NOT_DEPLOYED
          + " || !has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.deploymentName)"
          + " || (has(self.spec.deploymentName)"
          + " && self.spec.deploymentName == oldSelf.spec.deploymentName)";

  private CelRules() {}
}
