package dev.sluice.e2e.crash;

import java.util.List;

/** The operations on a FlinkBlueGreenDeployment and their steps, as docs/blue-green.md has them. */
enum BlueGreenOperation implements Operation {
  /** Both jobs run for a moment. */
  TRANSITION(
      "bg-transition",
      CutOver.DUPLICATE,
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
  /** The old job is stopped before the new one starts. */
  CUT_OVER(
      "bg-exactly-once",
      CutOver.EXACTLY_ONCE,
      "ObserveBlueGreen",
      "BeginTransition",
      "ApplyChild",
      "ReportBlueGreen",
      "AwaitChild",
      "StopLive",
      "ApplyChild",
      "AwaitChild",
      "AwaitGates",
      "SwitchLive",
      "DeleteChild",
      "EndTransition"),
  /** A transition that waits for its gates is given up: its job is suspended. */
  ABORT(
      "bg-abort",
      CutOver.DUPLICATE,
      "ObserveBlueGreen",
      "SuspendChild",
      "ReportBlueGreen",
      "AwaitChild",
      "EndTransition"),
  /** The same after the old job was stopped: the new one goes, and the old one runs again. */
  CUT_OVER_ABORT(
      "bg-exactly-once-abort",
      CutOver.EXACTLY_ONCE,
      "ObserveBlueGreen",
      "ReportBlueGreen",
      "DeleteChild",
      "ResumeLive",
      "AwaitChild",
      "EndTransition");

  /** {@code sluice.bluegreen.cut-over}. */
  enum CutOver {
    DUPLICATE("duplicate"),
    EXACTLY_ONCE("exactly-once");

    private final String text;

    CutOver(String text) {
      this.text = text;
    }

    /** As in a spec. */
    @Override
    public String toString() {
      return text;
    }
  }

  private final String text;
  private final CutOver cutOver;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Step> steps;

  BlueGreenOperation(String text, CutOver cutOver, String... steps) {
    this.text = text;
    this.cutOver = cutOver;
    this.steps = Step.of(List.of(steps));
  }

  CutOver cutOver() {
    return cutOver;
  }

  /** Whether it gives a transition up. */
  boolean aborts() {
    return this == ABORT || this == CUT_OVER_ABORT;
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
