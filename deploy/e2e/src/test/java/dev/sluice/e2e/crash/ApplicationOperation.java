package dev.sluice.e2e.crash;

import java.util.List;

/** The operations on a FlinkApplication and their steps, as docs/flinkapplication.md has them. */
enum ApplicationOperation implements Operation {
  /** The first one. */
  DEPLOY(
      "app-deploy",
      Mode.DUAL,
      "ObserveApplication",
      "FreezeVersion",
      "CreateVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions"),
  /** Another version takes the place of the one that runs. */
  UPGRADE(
      "app-upgrade",
      Mode.DUAL,
      "ObserveApplication",
      "FreezeVersion",
      "CreateVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions",
      "DeleteVersion",
      "RecordVersions"),
  /** The job of the new version fails. */
  ROLL_BACK(
      "app-roll-back",
      Mode.DUAL,
      "ObserveApplication",
      "FreezeVersion",
      "CreateVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "RecordVersions",
      "DeleteVersion",
      "SubmitVersionJob",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions"),
  /** In place. */
  RESCALE(
      "app-rescale",
      Mode.DUAL,
      "ObserveApplication",
      "FreezeVersion",
      "ScaleVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions"),
  /** Another version comes beside the one that runs. */
  BESIDE(
      "app-beside",
      Mode.BLUE_GREEN,
      "ObserveApplication",
      "FreezeVersion",
      "CreateVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions"),
  /** The new one of two is torn down by its hash. */
  TEAR_DOWN(
      "app-tear-down",
      Mode.BLUE_GREEN,
      "ObserveApplication",
      "RecordVersions",
      "CancelVersionJob",
      "DeleteVersion",
      "RecordVersions"),
  /** Another version comes, proves itself, and the one before is torn down. */
  PROMOTION(
      "app-promotion",
      Mode.BLUE_GREEN,
      "ObserveApplication",
      "FreezeVersion",
      "CreateVersion",
      "RecordVersions",
      "AwaitVersion",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "SubmitVersionJob",
      "ReportApplication",
      "AwaitVersionJob",
      "CutOver",
      "RecordVersions",
      "AwaitPromotion",
      "RecordVersions",
      "CancelVersionJob",
      "DeleteVersion",
      "RecordVersions"),
  /** With a savepoint. */
  DELETE(
      "app-delete",
      Mode.DUAL,
      "ObserveApplication",
      "RecordVersions",
      "RecordVersions",
      "TakeVersionSavepoint",
      "RecordVersions",
      "DeleteVersion",
      "ReportApplication");

  /** {@code deploymentMode}, which cannot be changed. */
  enum Mode {
    DUAL("Dual"),
    BLUE_GREEN("BlueGreen");

    private final String text;

    Mode(String text) {
      this.text = text;
    }

    /** As in a spec. */
    @Override
    public String toString() {
      return text;
    }
  }

  private final String text;
  private final Mode mode;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Step> steps;

  ApplicationOperation(String text, Mode mode, String... steps) {
    this.text = text;
    this.mode = mode;
    this.steps = Step.of(List.of(steps));
  }

  Mode mode() {
    return mode;
  }

  @Override
  public Kind kind() {
    return Kind.APPLICATION;
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
