package dev.sluice.workflows.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.bluegreen.Color;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a FlinkBlueGreenDeployment and its children say: no spec, only what follows from it.
 *
 * @param generation of the newest spec
 * @param deleting whether it is being deleted
 * @param problem why the newest spec is not valid, with the field's path; null when it is
 * @param change what the newest spec changes compared with the last one that was reached
 * @param settings what the newest spec says of transitions
 * @param standing what the status says
 * @param blue the child, null when it does not exist
 * @param green the child, null when it does not exist
 * @param operationOpen whether {@code status.operation} says that an operation is under way
 * @param restoreFrom the value of the annotation {@code sluice.dev/restore-from}; null when there
 *     is none
 * @param sameTemplate whether no child would see a difference between the newest spec and the one
 *     that the transition was begun with; false when none goes on
 */
public record BlueGreenSeen(
    long generation,
    boolean deleting,
    @Nullable String problem,
    Change change,
    TransitionSettings settings,
    BlueGreenStanding standing,
    @Nullable ChildSeen blue,
    @Nullable ChildSeen green,
    boolean operationOpen,
    @Nullable String restoreFrom,
    boolean sameTemplate) {

  /** That child. */
  @JsonIgnore
  public Optional<ChildSeen> child(Color color) {
    return Optional.ofNullable(color == Color.BLUE ? blue : green);
  }

  /** How the newest spec differs from the last one that was reached. */
  public enum Change {
    /** In nothing that a child would see. */
    NONE,
    /** Nothing was reached yet. */
    FIRST,
    /** Only in what the live child takes over without a new colour. */
    PATCH,
    /** {@code job.state} becomes suspended, and nothing else differs that needs a new colour. */
    SUSPEND,
    /** {@code job.state} becomes running again. */
    RESUME,
    /** {@code savepointRedeployNonce}: the new colour starts from what the spec names. */
    SAVEPOINT_REDEPLOY,
    /** Anything else: a new colour replaces the live one. */
    TRANSITION
  }
}
