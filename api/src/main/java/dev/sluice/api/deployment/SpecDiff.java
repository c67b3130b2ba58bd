package dev.sluice.api.deployment;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.common.SpecComparison;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What differs between the deployed and the newest spec, and what that requires.
 *
 * <p>Defaults that are written out, nested or flat configuration, and an empty or absent section
 * make no difference.
 *
 * @param kind the strongest kind of all changes; {@link DiffKind#IGNORE} when there are none
 * @param changes every field that differs, by path
 */
public record SpecDiff(DiffKind kind, List<SpecChange> changes) {
  public SpecDiff {
    changes = List.copyOf(changes);
  }

  /** Compares {@code deployed} with {@code desired} by the rules of {@link DiffRules}. Pure. */
  public static SpecDiff between(FlinkDeploymentSpec deployed, FlinkDeploymentSpec desired) {
    return of(
        SpecComparison.changes(
            SpecComparison.tree(deployed, deployed.configuration()),
            SpecComparison.tree(desired, desired.configuration()),
            (path, removed) -> DiffRules.kindOf(path, removed, desired)));
  }

  /** What these changes require together. */
  public static SpecDiff of(List<SpecChange> changes) {
    DiffKind strongest =
        changes.stream().map(SpecChange::kind).reduce(DiffKind.IGNORE, DiffKind::or);
    return new SpecDiff(strongest, changes);
  }

  /** Whether the specs say the same. */
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** The changes, secrets masked; empty when they need no operation. */
  public List<String> changesByOperation() {
    return kind.needsOperation() ? changes.stream().map(SpecChange::toString).toList() : List.of();
  }

  /** All changes in one line, for events and logs. */
  public String describe() {
    return changes.stream().map(SpecChange::toString).collect(Collectors.joining(", "));
  }
}
