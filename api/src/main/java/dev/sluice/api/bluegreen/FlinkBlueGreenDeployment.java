package dev.sluice.api.bluegreen;

import dev.sluice.api.common.SluiceResource;
import dev.sluice.api.crd.CelRules;
import dev.sluice.api.deployment.TaskManagerSpec;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.SchemaSwap;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A job that is replaced while it runs: two FlinkDeployments, blue and green, of which one is live.
 *
 * <p>The replicas of a FlinkDeployment are those of its scale subresource, which this has not: the
 * generator would make half of one. So the field is left out, and put back by the spec's
 * customizer.
 *
 * <p>The generator sorts columns by JSON path; the brackets in the path of Ready put it last.
 */
@AdditionalPrinterColumn(
    name = "Job Status",
    jsonPath = ".status.jobStatus.state",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "State of the live job in Flink")
@AdditionalPrinterColumn(
    name = "Live",
    jsonPath = ".status.live.color",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "The child that is live: blue or green")
@AdditionalPrinterColumn(
    name = "Since",
    jsonPath = ".status.live.since",
    type = AdditionalPrinterColumn.Type.DATE,
    getDescription = "For how long it has been live")
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
@AdditionalPrinterColumn(
    name = "State",
    jsonPath = ".status.blueGreenState",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "Which child is live or comes, as Apache's operator says it")
@AdditionalPrinterColumn(
    name = "Coming",
    jsonPath = ".status.transition.to",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "The child that a transition brings: blue or green")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status['conditions'][?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Whether the newest spec is live and its job runs")
@ValidationRule(
    value = BlueGreenCel.NAME,
    optionalOldSelf = true,
    message =
        "metadata.name: must be at most 39 characters, so that its children can be called NAME-blue"
            + " and NAME-green: lower case letters, digits and '-', a letter first and no '-' last")
@ValidationRule(value = CelRules.SPEC, optionalOldSelf = true, message = "spec: must be given")
@ValidationRule(
    value = BlueGreenCel.JOB,
    optionalOldSelf = true,
    fieldPath = ".spec.template.spec.job",
    reason = "FieldValueRequired",
    message =
        "must be given: a session cluster has no job to replace; use a FlinkDeployment for one")
@ValidationRule(
    value = BlueGreenCel.REDEPLOY,
    fieldPath = ".spec.template.spec.job.initialSavepointPath",
    reason = "FieldValueRequired",
    message = "must name the savepoint to redeploy from when savepointRedeployNonce changes")
@SchemaSwap(originalType = TaskManagerSpec.class, fieldName = "replicas")
@Group(FlinkBlueGreenDeployment.GROUP)
@Version(FlinkBlueGreenDeployment.VERSION)
@Kind(FlinkBlueGreenDeployment.KIND)
@Plural(FlinkBlueGreenDeployment.PLURAL)
@Singular("flinkbluegreendeployment")
@ShortNames("flinkbgdep")
public class FlinkBlueGreenDeployment
    extends SluiceResource<FlinkBlueGreenDeploymentSpec, FlinkBlueGreenDeploymentStatus> {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.apache.org";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code apiVersion}. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** As in {@code kind}. */
  public static final String KIND = "FlinkBlueGreenDeployment";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinkbluegreendeployments";

  /** Keeps a deleted one until its children are gone. */
  public static final String FINALIZER = "flinkbluegreendeployments.flink.apache.org/finalizer";

  /** Label of its children, and of the FlinkStateSnapshots of its transitions: its name. */
  public static final String LABEL = "sluice.dev/blue-green";

  /**
   * Annotation of its live child: when the exactly-once cut-over was begun that went back to it
   * last. Do not change it.
   */
  public static final String WENT_BACK = "sluice.dev/went-back";

  @Override
  protected FlinkBlueGreenDeploymentSpec initSpec() {
    return FlinkBlueGreenDeploymentSpec.EMPTY;
  }

  @Override
  protected FlinkBlueGreenDeploymentStatus initStatus() {
    return FlinkBlueGreenDeploymentStatus.EMPTY;
  }
}
