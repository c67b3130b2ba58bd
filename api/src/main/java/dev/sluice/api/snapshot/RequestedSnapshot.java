package dev.sluice.api.snapshot;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Renders the FlinkStateSnapshot that the spec of a resource with a job asks for, by a nonce or
 * periodically. Pure: the same values give the same resource, with the same name. As with Apache's
 * operator it has no owner, so that a savepoint outlives the resource whose job it is of.
 */
public final class RequestedSnapshot {

  private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final String DISPOSE = "kubernetes.operator.savepoint.dispose-on-delete";

  private static final Pattern TIME = Pattern.compile("[0-9]{14}");
  private static final Pattern NUMBERS = Pattern.compile("[0-9a-f-]+");

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
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(job, metadata.getName()),
            type == SnapshotType.SAVEPOINT ? savepoint(configuration) : null,
            type == SnapshotType.CHECKPOINT ? new CheckpointSpec() : null,
            null));
    Map<String, String> labels = new HashMap<>();
    labels.put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    labels.put(SnapshotLabels.TRIGGER_TYPE, trigger.name());
    labels.put(Labels.REFERENCE_UID, metadata.getUid());
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(metadata.getNamespace())
            .withName(name(metadata.getName(), type, trigger, suffix))
            .withLabels(labels)
            .build());
    labels.putAll(SnapshotLabels.of(snapshot));
    snapshot.getMetadata().setLabels(labels);
    return snapshot;
  }

  /**
   * Whether Sluice made it for the spec of this resource. One of an earlier resource of the same
   * name is none of its own, nor is a copy that somebody made of one: it has the labels, but
   * another name.
   *
   * @param uid of the resource that runs the job
   */
  public static boolean isMade(FlinkStateSnapshot snapshot, TriggerType trigger, String uid) {
    Map<String, String> labels = snapshot.getMetadata().getLabels();
    return labels != null
        && uid.equals(labels.get(Labels.REFERENCE_UID))
        && Labels.MANAGED_BY_SLUICE.equals(labels.get(Labels.MANAGED_BY))
        && trigger.name().equals(labels.get(SnapshotLabels.TRIGGER_TYPE))
        && isNamedSo(snapshot, trigger);
  }

  private static boolean isNamedSo(FlinkStateSnapshot snapshot, TriggerType trigger) {
    JobReference job = snapshot.getSpec().jobReference();
    if (job == null || job.name() == null) {
      return false;
    }
    SnapshotType type =
        snapshot.getSpec().savepoint() == null ? SnapshotType.CHECKPOINT : SnapshotType.SAVEPOINT;
    String start = name(job.name(), type, trigger, "");
    String name = snapshot.getMetadata().getName();
    return name.startsWith(start)
        && suffix(trigger).matcher(name.substring(start.length())).matches();
  }

  private static String name(String job, SnapshotType type, TriggerType trigger, String suffix) {
    return "%s-%s-%s-%s".formatted(job, type.word(), trigger.word(), suffix);
  }

  /** What makes it another one than those before. */
  private static Pattern suffix(TriggerType trigger) {
    return trigger == TriggerType.PERIODIC ? TIME : NUMBERS;
  }

  /** Its files stay unless the spec says otherwise, as with Apache's operator. */
  private static SavepointSpec savepoint(FlinkConfiguration configuration) {
    boolean isNative = "NATIVE".equals(text(configuration, FORMAT));
    return new SavepointSpec(
        null,
        isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL,
        "TRUE".equals(text(configuration, DISPOSE)),
        null);
  }

  private static @Nullable String text(FlinkConfiguration configuration, String key) {
    return configuration.get(key).map(it -> it.trim().toUpperCase(Locale.ROOT)).orElse(null);
  }
}
