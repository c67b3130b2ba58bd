package dev.sluice.api.sessionjob;

import dev.sluice.api.crd.CelRules;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * One job on the session cluster of a FlinkDeployment without {@code spec.job}.
 *
 * <p>The generator sorts columns by JSON path; the brackets in the path of Ready put it last.
 */
@AdditionalPrinterColumn(
    name = "Job Status",
    jsonPath = ".status.jobStatus.state",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "State of the job in Flink")
@AdditionalPrinterColumn(
    name = "Lifecycle State",
    jsonPath = ".status.lifecycleState",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "One word for the whole resource")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status['conditions'][?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Whether the newest spec is deployed and its job runs")
@AdditionalPrinterColumn(
    name = "Operation",
    jsonPath = ".status.operation.type",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "The operation in flight, or the last one")
@AdditionalPrinterColumn(
    name = "Operation State",
    jsonPath = ".status.operation.state",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "How far the operation has come")
@AdditionalPrinterColumn(
    name = "Step",
    jsonPath = ".status.operation.step",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "The step the operation is at, or ended at")
@ValidationRule(value = CelRules.SPEC, optionalOldSelf = true, message = "spec: must be given")
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
public class FlinkSessionJob extends CustomResource<FlinkSessionJobSpec, FlinkSessionJobStatus>
    implements Namespaced {
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

  @Override
  protected FlinkSessionJobSpec initSpec() {
    return FlinkSessionJobSpec.EMPTY;
  }

  @Override
  protected FlinkSessionJobStatus initStatus() {
    return FlinkSessionJobStatus.EMPTY;
  }

  /** Null means a spec that says nothing: {@link #getSpec} never returns null. */
  @Override
  public void setSpec(@Nullable FlinkSessionJobSpec spec) {
    super.setSpec(spec == null ? FlinkSessionJobSpec.EMPTY : spec);
  }

  /** Null means a status that says nothing: {@link #getStatus} never returns null. */
  @Override
  public void setStatus(@Nullable FlinkSessionJobStatus status) {
    super.setStatus(status == null ? FlinkSessionJobStatus.EMPTY : status);
  }
}
