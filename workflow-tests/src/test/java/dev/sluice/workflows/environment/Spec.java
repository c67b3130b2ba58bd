package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.Observation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One generation of the resource's spec.
 *
 * @param generation {@code metadata.generation}
 * @param content two specs with the same content differ in ignored fields at most
 * @param mode its upgrade mode
 * @param shape how its job behaves
 * @param initialSavepointPath null when not set
 * @param savepointOnDeletion whether a deletion begins with a savepoint
 * @param cancels {@code last-state.job-cancel.enabled}
 * @param problem why it is not valid; null when it is
 * @param suspended no job is to run
 */
public record Spec(
    long generation,
    String content,
    UpgradeMode mode,
    JobShape shape,
    @Nullable String initialSavepointPath,
    boolean savepointOnDeletion,
    boolean cancels,
    @Nullable String problem,
    boolean suspended) {

  private static final String REDEPLOYED = " redeployed from ";

  /** A valid spec of that content. */
  public static Spec of(String content, JobShape shape) {
    return new Spec(0, content, UpgradeMode.SAVEPOINT, shape, null, false, true, null, false);
  }

  /** The same as another generation. */
  Spec as(long newGeneration) {
    return new Spec(
        newGeneration,
        content,
        mode,
        shape,
        initialSavepointPath,
        savepointOnDeletion,
        cancels,
        problem,
        suspended);
  }

  /** The same with another upgrade mode. */
  public Spec mode(UpgradeMode other) {
    return new Spec(
        generation,
        content,
        other,
        shape,
        initialSavepointPath,
        savepointOnDeletion,
        cancels,
        problem,
        suspended);
  }

  /** The same, first started from that path. */
  public Spec startingFrom(String path) {
    return new Spec(
        generation, content, mode, shape, path, savepointOnDeletion, cancels, problem, suspended);
  }

  /** The same, with a savepoint before a deletion. */
  public Spec keptOnDeletion() {
    return new Spec(
        generation, content, mode, shape, initialSavepointPath, true, cancels, problem, suspended);
  }

  /** The same; last-state leaves the job to its high-availability metadata. */
  public Spec notCancelling() {
    return new Spec(
        generation,
        content,
        mode,
        shape,
        initialSavepointPath,
        savepointOnDeletion,
        false,
        problem,
        suspended);
  }

  /** The same, breaking a rule. */
  public Spec invalid() {
    return new Spec(
        generation,
        content,
        mode,
        shape,
        initialSavepointPath,
        savepointOnDeletion,
        cancels,
        "spec.job.parallelism: must be at least 1, is 0",
        suspended);
  }

  /**
   * The same, with {@code spec.job.state: suspended}; another content, because the field counts.
   */
  public Spec asSuspended() {
    return new Spec(
        generation,
        content + " suspended",
        mode,
        shape,
        initialSavepointPath,
        savepointOnDeletion,
        cancels,
        problem,
        true);
  }

  /** The same as a session cluster, which has no job. */
  public Spec asSession() {
    return content.contains(SessionModel.SESSION)
        ? this
        : new Spec(
            generation,
            content + " " + SessionModel.SESSION,
            UpgradeMode.STATELESS,
            shape,
            null,
            false,
            cancels,
            problem,
            false);
  }

  /** Starts its job again from that path: {@code savepointRedeployNonce}. */
  public Spec redeployedFrom(String path) {
    return new Spec(
        generation,
        content + REDEPLOYED + path,
        mode,
        shape,
        path,
        savepointOnDeletion,
        cancels,
        problem,
        suspended);
  }

  /** Null when there is none. */
  @Nullable String redeployNonce() {
    int at = content.indexOf(REDEPLOYED);
    return at < 0 ? null : content.substring(at);
  }

  static boolean isStateless(@Nullable Spec spec) {
    return spec != null && spec.mode == UpgradeMode.STATELESS;
  }

  /** Given up together: they say the same, also of what the first job starts from. */
  boolean isGivenUpWith(Spec other) {
    return content.equals(other.content)
        && Objects.equals(initialSavepointPath, other.initialSavepointPath);
  }

  boolean valid() {
    return problem == null;
  }

  Observation.Target target() {
    Observation.StateOptions options =
        new Observation.StateOptions(shape.highAvailability(), true, cancels, null, false, null);
    return SessionModel.is(this)
        ? Observation.Target.session(generation, FlinkVersion.V2_2, options)
        : new Observation.Target(
            generation,
            mode,
            initialSavepointPath,
            FlinkVersion.V2_2,
            options,
            suspended,
            false,
            false);
  }
}
