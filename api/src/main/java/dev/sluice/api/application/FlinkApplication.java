package dev.sluice.api.application;

import dev.sluice.api.common.SluiceResource;
import dev.sluice.api.crd.CelRules;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.Annotations;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A job whose versions each get a cluster of their own: Lyft's FlinkApplication.
 *
 * <p>The generator sorts columns by JSON path; the brackets put all others behind the phase. In
 * both modes {@code clusterStatus} and {@code jobStatus} tell of the deployed version.
 */
@AdditionalPrinterColumn(
    name = "Phase",
    jsonPath = ".status.phase",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Where the application is")
@AdditionalPrinterColumn(
    name = "Cluster Health",
    jsonPath = ".status['clusterStatus'].health",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Health of the cluster of the deployed version")
@AdditionalPrinterColumn(
    name = "Healthy TMs",
    jsonPath = ".status['clusterStatus'].healthyTaskManagers",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1,
    getDescription = "TaskManagers that answer")
@AdditionalPrinterColumn(
    name = "Total TMs",
    jsonPath = ".status['clusterStatus'].numberOfTaskManagers",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1,
    getDescription = "TaskManagers that are wanted")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status['conditions'][?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "Whether the newest spec is deployed and its job runs")
@AdditionalPrinterColumn(
    name = "Job Health",
    jsonPath = ".status['jobStatus'].health",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Health of the job of the deployed version")
@AdditionalPrinterColumn(
    name = "Job Restarts",
    jsonPath = ".status['jobStatus'].jobRestartCount",
    type = AdditionalPrinterColumn.Type.INTEGER,
    getDescription = "How often the job was restored")
@AdditionalPrinterColumn(
    name = "Step",
    jsonPath = ".status['operation'].step",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "The step the operation is at, or ended at")
@AdditionalPrinterColumn(
    name = "Operation",
    jsonPath = ".status['operation'].type",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "The operation in flight, or the last one")
@ValidationRule(
    value = ApplicationCel.NAME,
    optionalOldSelf = true,
    message =
        "metadata.name: must be at most 52 characters: lower case letters, digits and '-', a letter"
            + " first and no '-' last")
@ValidationRule(value = CelRules.SPEC, optionalOldSelf = true, message = "spec: must be given")
@ValidationRule(
    value = ApplicationCel.MODE,
    fieldPath = ".spec.deploymentMode",
    message = "cannot be changed once deployed: delete the resource and create it anew")
@Annotations("api-approved.kubernetes.io=unapproved, of the operator of Lyft")
@Group(FlinkApplication.GROUP)
@Version(FlinkApplication.VERSION)
@Kind(FlinkApplication.KIND)
@Plural(FlinkApplication.PLURAL)
@Singular("flinkapplication")
@ShortNames("flinkapp")
public class FlinkApplication extends SluiceResource<FlinkApplicationSpec, FlinkApplicationStatus> {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.k8s.io";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code apiVersion}. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** As in {@code kind}. */
  public static final String KIND = "FlinkApplication";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinkapplications";

  /** Keeps a deleted one until its clusters are gone, in the place of that of Lyft's operator. */
  public static final String FINALIZER = "flinkapplications.flink.k8s.io/finalizer";

  /** The finalizer of Lyft's operator, which is not qualified; in its place comes ours. */
  public static final String LYFT_FINALIZER = "job.finalizers.flink.k8s.io";

  @Override
  protected FlinkApplicationSpec initSpec() {
    return FlinkApplicationSpec.EMPTY;
  }

  @Override
  protected FlinkApplicationStatus initStatus() {
    return FlinkApplicationStatus.EMPTY;
  }
}
