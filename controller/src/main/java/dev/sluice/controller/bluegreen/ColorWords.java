package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.controller.common.ConditionStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which child is live, which comes, and since when, in words that change with that alone. */
final class ColorWords {

  private static final int LONGEST_EDITS = 500;

  private ColorWords() {}

  /** {@code Blue (FlinkDeployment orders-blue)}. */
  static String child(SeenBlueGreen seen, Color color) {
    String wire = color.wire();
    return "%s%s (FlinkDeployment %s)"
        .formatted(
            Character.toUpperCase(wire.charAt(0)),
            wire.substring(1),
            color.child(seen.ref().name()));
  }

  /** Both of them; empty while nothing is known. */
  static String standing(SeenBlueGreen seen) {
    Color live = seen.live().orElse(null);
    TransitionStatus transition = seen.blueGreen().transition();
    Color coming = seen.coming().orElse(null);
    if (transition == null || coming == null) {
      return live == null ? "" : live(seen, live) + ".";
    }
    String comes = child(seen, coming) + " comes" + since(transition.since());
    if (live == null) {
      return comes + ".";
    }
    return live == coming
        ? live(seen, live) + "; " + live.other() + " is removed."
        : live(seen, live) + " and stays so until the other is ready. " + comes + ".";
  }

  /** {@code Blue (FlinkDeployment orders-blue) is live since ...}. */
  static String live(SeenBlueGreen seen, Color color) {
    LiveChild live = seen.blueGreen().live();
    return child(seen, color) + " is live" + since(live == null ? null : live.since());
  }

  /**
   * {@code orders-blue was edited: spec.image: flink:2.2 -> flink:2.3. ...}; empty when the live
   * child is as it was made.
   */
  static String edited(SeenBlueGreen seen) {
    List<SpecChange> edits = seen.edits();
    return edits.isEmpty()
        ? ""
        : "%s was edited: %s. That stays so until this spec changes."
            .formatted(
                seen.live().map(it -> it.child(seen.ref().name())).orElse("The live child"),
                BoundedText.of(SpecDiff.of(edits).describe(), LONGEST_EDITS));
  }

  private static String since(@Nullable String at) {
    return at == null ? "" : " since " + at;
  }

  /** What a child says of its newest spec; empty while it says nothing of that yet. */
  static Optional<Condition> newest(ShownChild.Part child, String type) {
    Long generation = child.metadata().getGeneration();
    return child
        .status()
        .condition(type)
        .filter(
            it ->
                generation == null
                    || it.getObservedGeneration() == null
                    || it.getObservedGeneration() >= generation);
  }

  /** What a condition says, in our type. */
  static ConditionStatus status(Condition said) {
    return Arrays.stream(ConditionStatus.values())
        .filter(it -> it.wire().equals(said.getStatus()))
        .findFirst()
        .orElse(ConditionStatus.UNKNOWN);
  }
}
