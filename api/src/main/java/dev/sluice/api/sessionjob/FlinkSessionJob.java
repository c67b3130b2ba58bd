package dev.sluice.api.sessionjob;

import dev.sluice.api.common.OperatedResource;
import dev.sluice.api.crd.CelRules;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** One job on the session cluster of a FlinkDeployment without {@code spec.job}. */
@ValidationRule(value = CelRules.KEEPS_SPEC, message = "spec: cannot be removed")
@ValidationRule(
    value = CelRules.DEPLOYMENT_NAME,
    fieldPath = ".spec.deploymentName",
    message = "cannot be changed once deployed: delete the resource and create it anew")
@ValidationRule(
    value = CelRules.REDEPLOY,
    fieldPath = ".spec.job.initialSavepointPath",
    reason = "FieldValueRequired",
    message = "must name the savepoint to redeploy from when savepointRedeployNonce changes")
@Group(FlinkSessionJob.GROUP)
@Version(FlinkSessionJob.VERSION)
@Kind(FlinkSessionJob.KIND)
@Plural(FlinkSessionJob.PLURAL)
@Singular("flinksessionjob")
@ShortNames("sessionjob")
public class FlinkSessionJob extends OperatedResource<FlinkSessionJobSpec, FlinkSessionJobStatus> {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.apache.org";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code apiVersion}. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** As in {@code kind}. */
  public static final String KIND = "FlinkSessionJob";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinksessionjobs";

  /** Keeps a deleted one until its job has ended; with the same name as Apache's. */
  public static final String FINALIZER = "flinksessionjobs.flink.apache.org/finalizer";

  /** Label, as Apache's operator has it: the FlinkDeployment that it runs on. */
  public static final String TARGET_SESSION = "target.session";

  @Override
  protected FlinkSessionJobSpec initSpec() {
    return FlinkSessionJobSpec.EMPTY;
  }

  @Override
  protected FlinkSessionJobStatus initStatus() {
    return FlinkSessionJobStatus.EMPTY;
  }
}
