package dev.sluice.api.deployment;

import dev.sluice.api.common.OperatedResource;
import dev.sluice.api.crd.CelRules;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A Flink cluster on Kubernetes: an application cluster with its job, or a session cluster. */
@ValidationRule(
    value = CelRules.NAME,
    optionalOldSelf = true,
    message =
        "metadata.name: must be at most 45 characters: lower case letters, digits and '-', a letter"
            + " first and no '-' last")
@ValidationRule(value = CelRules.KEEPS_SPEC, message = "spec: cannot be removed")
@ValidationRule(
    value = CelRules.MODE,
    fieldPath = ".spec.mode",
    message = "cannot be changed once deployed: delete the resource and create it anew")
@ValidationRule(
    value = CelRules.CLUSTER_TYPE,
    fieldPath = ".spec.job",
    message =
        "an application cluster cannot become a session cluster, nor the other way round: delete"
            + " the resource and create it anew")
@ValidationRule(
    value = CelRules.REDEPLOY,
    fieldPath = ".spec.job.initialSavepointPath",
    reason = "FieldValueRequired",
    message = "must name the savepoint to redeploy from when savepointRedeployNonce changes")
@Group(FlinkDeployment.GROUP)
@Version(FlinkDeployment.VERSION)
@Kind(FlinkDeployment.KIND)
@Plural(FlinkDeployment.PLURAL)
@Singular("flinkdeployment")
@ShortNames("flinkdep")
public class FlinkDeployment extends OperatedResource<FlinkDeploymentSpec, FlinkDeploymentStatus> {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.apache.org";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code apiVersion}. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** As in {@code kind}. */
  public static final String KIND = "FlinkDeployment";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinkdeployments";

  /**
   * Keeps a deleted one until what it owns is gone. The same as Apache's operator uses, so that a
   * resource never carries two. Removing it by hand leaves whatever is left to Kubernetes' garbage
   * collector.
   */
  public static final String FINALIZER = "flinkdeployments.flink.apache.org/finalizer";

  @Override
  protected FlinkDeploymentSpec initSpec() {
    return FlinkDeploymentSpec.EMPTY;
  }

  @Override
  protected FlinkDeploymentStatus initStatus() {
    return FlinkDeploymentStatus.EMPTY;
  }
}
