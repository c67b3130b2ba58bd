package dev.sluice.api.snapshot;

import dev.sluice.api.Labels;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Renders the FlinkStateSnapshot that the spec of a resource with a job asks for, by a nonce or
 * periodically, and that of a savepoint which an operation took. Pure: the same values give the
 * same resource, with the same name. As with Apache's operator it has no owner, so that a savepoint
 * outlives the resource whose job it is of.
 */
public final class RequestedSnapshot {

  private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final String DISPOSE = "kubernetes.operator.savepoint.dispose-on-delete";

  private static final int SHORT = 8;

  /** What says for which resource, and why, Sluice made one. */
  private static final List<String> SAME =
      List.of(Labels.MANAGED_BY, SnapshotLabels.REFERENCE_UID, SnapshotLabels.TRIGGER_TYPE);

  private RequestedSnapshot() {}

  /**
   * The resource, ready to be created.
   *
   * @param job the resource that runs the job, and its kind
   * @param metadata of that resource, with its uid
   * @param suffix what makes it another one than those before, as a part of a name
   * @param configuration of that resource, over the operator's defaults
   */
  public static FlinkStateSnapshot of(
      SnapshotType type,
      TriggerType trigger,
      JobKind job,
      ObjectMeta metadata,
      String suffix,
      FlinkConfiguration configuration) {
    return of(
        new FlinkStateSnapshotSpec(
            new JobReference(job, metadata.getName()),
            type == SnapshotType.SAVEPOINT ? savepoint(configuration) : null,
            type == SnapshotType.CHECKPOINT ? checkpoint(configuration) : null,
            null),
        trigger,
        metadata,
        name(metadata.getName(), type, trigger, suffix));
  }

  /**
   * The resource of a savepoint that an operation stopped the job with, ready to be created.
   *
   * @param job the resource that ran the job, and its kind
   * @param metadata of that resource, with its uid
   * @param taken with its location
   * @param configuration of that resource, over the operator's defaults
   */
  public static FlinkStateSnapshot ofTaken(
      JobKind job, ObjectMeta metadata, Savepoint taken, FlinkConfiguration configuration) {
    FlinkStateSnapshot snapshot =
        of(
            new FlinkStateSnapshotSpec(
                new JobReference(job, metadata.getName()),
                new SavepointSpec(
                    taken.location(),
                    format(taken.formatType()),
                    savepoint(configuration).disposeOnDelete(),
                    true),
                null,
                null),
            TriggerType.UPGRADE,
            metadata,
            // the same for the same savepoint, and no other's
            name(
                metadata.getName(),
                SnapshotType.SAVEPOINT,
                TriggerType.UPGRADE,
                hash(metadata.getUid() + " " + taken.location())));
    // nothing is left to be found out about it: what is said here need not be written again
    snapshot.getMetadata().getLabels().put(SnapshotLabels.STATE, SnapshotState.COMPLETED.name());
    if (snapshot.getSpec().isDisposedWithResource()) {
      snapshot.getMetadata().setFinalizers(List.of(FlinkStateSnapshot.FINALIZER));
    }
    return snapshot;
  }

  private static FlinkStateSnapshot of(
      FlinkStateSnapshotSpec spec, TriggerType trigger, ObjectMeta metadata, String name) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setSpec(spec);
    Map<String, String> labels = new HashMap<>();
    labels.put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    labels.put(SnapshotLabels.TRIGGER_TYPE, trigger.name());
    labels.put(SnapshotLabels.REFERENCE_UID, metadata.getUid());
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(metadata.getNamespace())
            .withName(name)
            .withLabels(labels)
            .build());
    labels.putAll(SnapshotLabels.of(snapshot));
    snapshot.getMetadata().setLabels(labels);
    return snapshot;
  }

  /**
   * Whether Sluice made it for the spec of this resource. One of an earlier resource of the same
   * name is none of its own, nor is a copy under a name of somebody's own, which has the labels.
   *
   * @param uid of the resource that runs the job
   */
  public static boolean isMade(FlinkStateSnapshot snapshot, TriggerType trigger, String uid) {
    JobReference job = snapshot.getSpec().jobReference();
    if (job == null || job.name() == null) {
      return false;
    }
    return uid.equals(Labels.of(snapshot, SnapshotLabels.REFERENCE_UID))
        && Labels.MANAGED_BY_SLUICE.equals(Labels.of(snapshot, Labels.MANAGED_BY))
        && trigger.name().equals(Labels.of(snapshot, SnapshotLabels.TRIGGER_TYPE))
        && snapshot
            .getMetadata()
            .getName()
            .startsWith(name(job.name(), snapshot.getSpec().type(), trigger, ""));
  }

  /**
   * Whether it is the one that was to be made, made by an earlier try, and not somebody else's
   * under the same name.
   *
   * @param there the one that has the name
   * @param wanted as it was to be made
   */
  public static boolean isSame(FlinkStateSnapshot there, FlinkStateSnapshot wanted) {
    return SAME.stream()
        .allMatch(it -> Objects.equals(Labels.of(there, it), Labels.of(wanted, it)));
  }

  /** Eight hex digits that distinguish a snapshot from others of the same job and trigger. */
  public static String hash(String of) {
    return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8))
        .toString()
        .substring(0, SHORT);
  }

  private static String name(String job, SnapshotType type, TriggerType trigger, String suffix) {
    return "%s-%s-%s-%s".formatted(job, type.word(), trigger.word(), suffix);
  }

  /** Whether Sluice made it for this resource, for a reason that counts for the history. */
  public static boolean isOfHistory(FlinkStateSnapshot snapshot, String uid) {
    return TriggerType.OF_HISTORY.stream().anyMatch(it -> isMade(snapshot, it, uid));
  }

  /** Its files stay unless the spec says otherwise, as with Apache's operator. */
  private static SavepointSpec savepoint(FlinkConfiguration configuration) {
    return new SavepointSpec(
        null,
        format(text(configuration, FORMAT)),
        "TRUE".equals(text(configuration, DISPOSE)),
        null);
  }

  /** Canonical, unless it is native. */
  static SavepointFormatType format(@Nullable String name) {
    return SavepointFormatType.NATIVE.name().equals(name)
        ? SavepointFormatType.NATIVE
        : SavepointFormatType.CANONICAL;
  }

  private static CheckpointSpec checkpoint(FlinkConfiguration configuration) {
    CheckpointType type = CheckpointType.of(configuration);
    return type == CheckpointType.FULL ? new CheckpointSpec() : new CheckpointSpec(type);
  }

  private static @Nullable String text(FlinkConfiguration configuration, String key) {
    return configuration.get(key).map(it -> it.trim().toUpperCase(Locale.ROOT)).orElse(null);
  }
}
