package dev.sluice.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Annotations that users set on resources, and those that Sluice sets on what it creates. */
public final class Annotations {
  /**
   * On a resource: abort the operation in flight. The value is the reason, free text; a new value
   * is a new request.
   */
  public static final String ABORT = "sluice.dev/abort";

  /**
   * On a resource: retry a blocked or parked operation now, start an aborted or failed one again,
   * or create a missing JobManager Deployment again. Any value; a new value is a new request.
   */
  public static final String RETRY = "sluice.dev/retry";

  /**
   * On a resource whose operation is held because the state of its job cannot be found, together
   * with {@link #RETRY}: what to start from. {@code recorded} is the state in {@code
   * status.recordedState}, {@code empty} is no state at all, anything else is the path of a
   * savepoint or checkpoint. Removed once it was used.
   */
  public static final String RESTORE_FROM = "sluice.dev/restore-from";

  /**
   * On a resource: go back to an earlier spec. The value is the reason, free text. Removed once it
   * is answered. While an operation is open it means the same as {@link #ABORT}.
   */
  public static final String ROLLBACK = "sluice.dev/rollback";

  /**
   * Next to {@link #ROLLBACK}: the generation to go back to; without it the one before the spec
   * that is deployed. Removed once it was used.
   */
  public static final String ROLLBACK_TO = "sluice.dev/rollback-to";

  /**
   * Next to {@link #ROLLBACK}, with the value {@code newest}: start from the newest state of the
   * job that runs, not from the one that the earlier spec left. Removed once it was used.
   */
  public static final String ROLLBACK_STATE = "sluice.dev/rollback-state";

  /**
   * On a resource: for so long every task of a job that was started must run without a restart
   * before the job counts as stable: {@code 2m}. {@code 0} switches the operator's default off.
   */
  public static final String STABLE_AFTER = "sluice.dev/stable-after";

  /**
   * On a ControllerRevision: the state that the job of this spec left when it was upgraded, as JSON
   * like {@code status.recordedState}. Do not change it.
   */
  public static final String STATE_LEFT = "sluice.dev/state-left";

  /**
   * On a ControllerRevision, with the value {@code true}: this spec was left for an earlier one by
   * a rollback, so that it is not what ran before a later one. Do not change it.
   */
  public static final String ROLLED_BACK = "sluice.dev/rolled-back";

  /**
   * On a resource that is being deleted, with the value {@code true}: remove its finalizer at once,
   * whatever may be left of its cluster.
   */
  public static final String FORCE_DELETE = "sluice.dev/force-delete";

  /**
   * On everything we create: metadata.generation of the spec it was made from. Do not change it.
   */
  public static final String GENERATION = "sluice.dev/generation";

  /**
   * On the JobManager Deployment: the Flink job id it was made to run, 32 hex digits. Do not change
   * it.
   */
  public static final String JOB_ID = "sluice.dev/job-id";

  /**
   * On the JobManager Deployment: as GENERATION, under the name Apache's operator reads and writes,
   * so that either can take over.
   */
  public static final String APACHE_GENERATION = "flinkdeployment.flink.apache.org/generation";

  /**
   * On an event of something that happened at a known time: when the newest of those was that are
   * counted on it, ISO-8601.
   */
  public static final String HAPPENED_AT = "sluice.dev/happened-at";

  /**
   * On an event of a run: the newest of the occurrences that are counted on it, by run and step.
   */
  public static final String OCCURRENCE = "sluice.dev/occurrence";

  /**
   * On a Service: the names of its labels and annotations that were changed in place, with commas
   * between.
   */
  public static final String IN_PLACE = "sluice.dev/in-place";

  /**
   * On a JobManager Deployment: with how many subtasks its job ran before it was scaled in place,
   * as JSON, to go back to while that is not done.
   */
  public static final String RESCALED_FROM = "sluice.dev/rescaled-from";

  private Annotations() {}

  /** The value of that annotation; null without one. */
  public static @Nullable String of(HasMetadata object, String key) {
    return of(object.getMetadata(), key);
  }

  /** The same of an object of which only the metadata is known. */
  public static @Nullable String of(ObjectMeta metadata, String key) {
    Map<String, String> annotations = metadata.getAnnotations();
    return annotations == null ? null : annotations.get(key);
  }

  /** Whether {@link #FORCE_DELETE} says that the resource goes at once, when it is deleted. */
  public static boolean forcesDeletion(ObjectMeta metadata) {
    return "true".equals(of(metadata, FORCE_DELETE));
  }
}
