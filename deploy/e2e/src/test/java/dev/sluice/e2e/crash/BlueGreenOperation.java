package dev.sluice.e2e.crash;

import java.util.List;

/** The operations on a FlinkBlueGreenDeployment and their steps, as docs/blue-green.md has them. */
enum BlueGreenOperation implements Operation {
  /** Both jobs run for a moment. */
  TRANSITION(
      "bg-transition",
      "ObserveBlueGreen",
      "BeginTransition",
      "TakeTransitionSavepoint",
      "ApplyChild",
      "ReportBlueGreen",
      "AwaitChild",
      "AwaitGates",
      "SwitchLive",
      "DeleteChild",
      "EndTransition"),
  /** A transition that waits for its gates is given up: its job is suspended. */
  ABORT(
      "bg-abort",
      "ObserveBlueGreen",
      "SuspendChild",
      "ReportBlueGreen",
      "AwaitChild",
      "EndTransition");

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Step> steps;

  BlueGreenOperation(String text, String... steps) {
    this.text = text;
    this.steps = Step.of(List.of(steps));
  }

  /** Whether it gives a transition up. */
  boolean aborts() {
    return this == ABORT;
  }

  @Override
  public Kind kind() {
    return Kind.BLUE_GREEN;
  }

  @Override
  public List<Step> steps() {
    return steps;
  }

  @Override
  public String toString() {
    return text;
  }
}
