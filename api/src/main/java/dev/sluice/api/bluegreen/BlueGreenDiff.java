package dev.sluice.api.bluegreen;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.SpecDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the newest spec of a FlinkBlueGreenDeployment changes compared with the last one that was
 * reached. Pure.
 *
 * @param kind what it takes to reach it
 * @param changes every field of {@code spec.template.spec} that differs, with its path in there;
 *     empty before anything was reached
 */
public record BlueGreenDiff(Kind kind, List<SpecChange> changes) {

  /** Where the state that the spec asks for stands. */
  private static final String STATE = "spec.job.state";

  /** Copies the list. */
  public BlueGreenDiff {
    changes = List.copyOf(changes);
  }

  /** What it takes to reach a spec. */
  public enum Kind {
    /** Nothing: no child would see a difference. */
    NONE,
    /** A first deployment: nothing was reached yet. */
    FIRST,
    /** The live child takes it over, without a restart of its job. */
    PATCH,
    /** The job of the live child is suspended; nothing else differs that needs a new colour. */
    SUSPEND,
    /** The job of the live child runs again; nothing else differs that needs a new colour. */
    RESUME,
    /** A new colour that starts from what the spec names. */
    SAVEPOINT_REDEPLOY,
    /** A new colour. */
    TRANSITION
  }

  /**
   * Compares them as children would see them: the Ingress is the parent's.
   *
   * @param reached the last spec that was reached; null when none was
   */
  public static BlueGreenDiff between(
      @Nullable FrozenBlueGreen reached, FlinkBlueGreenDeploymentSpec newest) {
    if (reached == null) {
      return new BlueGreenDiff(Kind.FIRST, List.of());
    }
    ChildTemplate before = reached.spec().template();
    ChildTemplate after = newest.template();
    List<SpecChange> changes =
        SpecDiff.between(before.spec().withIngress(null), after.spec().withIngress(null)).changes();
    boolean sameMetadata = before.metadata().equals(after.metadata());
    return new BlueGreenDiff(
        changes.isEmpty() && sameMetadata ? Kind.NONE : kind(changes, after.spec()), changes);
  }

  private static Kind kind(List<SpecChange> changes, FlinkDeploymentSpec newest) {
    DiffKind strongest =
        changes.stream()
            .filter(it -> !it.path().equals(STATE))
            .map(SpecChange::kind)
            .reduce(DiffKind.IGNORE, DiffKind::or);
    if (strongest == DiffKind.SAVEPOINT_REDEPLOY) {
      return Kind.SAVEPOINT_REDEPLOY;
    }
    if (strongest.needsOperation()) {
      return Kind.TRANSITION;
    }
    if (changes.stream().noneMatch(it -> it.path().equals(STATE))) {
      return Kind.PATCH;
    }
    JobSpec job = newest.job();
    return job != null && job.isSuspended() ? Kind.SUSPEND : Kind.RESUME;
  }

  /** All changes in one line, for events and logs. */
  public String describe() {
    return SpecDiff.of(changes).describe();
  }
}
