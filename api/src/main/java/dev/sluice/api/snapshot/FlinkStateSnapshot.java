package dev.sluice.api.snapshot;

import dev.sluice.api.common.SluiceResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A savepoint or checkpoint of a job: one to take, or one that exists already (FLIP-446). */
@AdditionalPrinterColumn(
    name = "Path",
    jsonPath = ".status.path",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Where the savepoint or checkpoint is")
@AdditionalPrinterColumn(
    name = "Result Timestamp",
    jsonPath = ".status.resultTimestamp",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "When it was taken, or given up")
@AdditionalPrinterColumn(
    name = "Snapshot State",
    jsonPath = ".status.state",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "How far it has come")
@Group(FlinkStateSnapshot.GROUP)
@Version(FlinkStateSnapshot.VERSION)
@Kind(FlinkStateSnapshot.KIND)
@Plural(FlinkStateSnapshot.PLURAL)
@Singular("flinkstatesnapshot")
@ShortNames("flinksnp")
public class FlinkStateSnapshot
    extends SluiceResource<FlinkStateSnapshotSpec, FlinkStateSnapshotStatus> {
  private static final long serialVersionUID = 1L;

  /** API group. */
  public static final String GROUP = "flink.apache.org";

  /** API version inside the group. */
  public static final String VERSION = "v1beta1";

  /** As in {@code kind}. */
  public static final String KIND = "FlinkStateSnapshot";

  /** As in URLs and in {@code kubectl get}. */
  public static final String PLURAL = "flinkstatesnapshots";

  /**
   * Keeps a deleted resource until the files of its savepoint are. The same as Apache's operator
   * uses, so that a resource never carries two.
   */
  public static final String FINALIZER = "flinkstatesnapshots.flink.apache.org/finalizer";

  @Override
  protected FlinkStateSnapshotSpec initSpec() {
    return FlinkStateSnapshotSpec.EMPTY;
  }

  @Override
  protected FlinkStateSnapshotStatus initStatus() {
    return FlinkStateSnapshotStatus.EMPTY;
  }
}
