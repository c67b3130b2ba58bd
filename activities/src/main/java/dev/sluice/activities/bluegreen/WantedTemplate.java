package dev.sluice.activities.bluegreen;

import dev.sluice.activities.deployment.Summary;
import dev.sluice.api.bluegreen.BlueGreenDiff;
import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.validation.BlueGreenValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.TransitionSettings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the newest spec says: whether it may be deployed, what it changes, how. Pure. */
final class WantedTemplate {

  private final FlinkBlueGreenDeployment parent;

  WantedTemplate(FlinkBlueGreenDeployment parent) {
    this.parent = parent;
  }

  /**
   * Why it cannot be deployed, with the path of each field, as the controller judges it; null when
   * it can.
   *
   * @param defaults Flink configuration that holds where the template does not say
   */
  @Nullable String problem(DefaultConfiguration defaults) {
    List<Violation> violations =
        BlueGreenValidation.validate(parent, BlueGreenStatus.reached(parent.getStatus()), defaults);
    return violations.isEmpty() ? null : Violation.joined(violations);
  }

  private FlinkDeploymentSpec template() {
    return parent.getSpec().template().spec();
  }

  /**
   * What it changes. What was reached and cannot be read any more differs in everything: only a new
   * colour is sure to be of the newest spec.
   */
  Change change() {
    FlinkBlueGreenDeploymentStatus status = parent.getStatus();
    FrozenBlueGreen reached = BlueGreenStatus.reached(status);
    return reached == null && status.lastReconciledSpec() != null
        ? Change.TRANSITION
        : change(BlueGreenDiff.between(reached, parent.getSpec()).kind());
  }

  /**
   * The same, where a child is live. Apache's operator writes a spec as reached before its
   * transition begins: as long as nothing of ours was reached, only the live child tells.
   *
   * @param live null when it is gone
   */
  Change change(@Nullable FlinkDeployment live) {
    Change told = change();
    JobSpec wanted = template().job();
    if (told != Change.NONE || live == null || parent.getStatus().live() != null) {
      return told;
    }
    FlinkDeploymentSpec spec = live.getSpec();
    JobSpec job = spec.job();
    if (wanted != null && job != null) {
      spec =
          spec.withJob(
              job.withInitialSavepointPath(wanted.initialSavepointPath())
                  .withFlinkStateSnapshotReference(wanted.flinkStateSnapshotReference())
                  .withSavepointRedeployNonce(wanted.savepointRedeployNonce()));
    }
    FlinkDeploymentSpec runs = spec;
    return isSame(runs, parent.getSpec())
            || new FrozenBlueGreen(parent.getSpec(), 0)
                .withName(parent.getMetadata().getName(), live.getMetadata().getName())
                .filter(it -> isSame(runs, it.spec()))
                .isPresent()
        ? Change.NONE
        : Change.TRANSITION;
  }

  private static boolean isSame(FlinkDeploymentSpec runs, FlinkBlueGreenDeploymentSpec wanted) {
    ChildTemplate template = new ChildTemplate(wanted.template().metadata(), runs);
    FrozenBlueGreen frozen = new FrozenBlueGreen(wanted.withTemplate(template), 0);
    return BlueGreenDiff.between(frozen, wanted).kind() == BlueGreenDiff.Kind.NONE;
  }

  private static Change change(BlueGreenDiff.Kind kind) {
    return switch (kind) {
      case NONE -> Change.NONE;
      case FIRST -> Change.FIRST;
      case PATCH -> Change.PATCH;
      case SUSPEND -> Change.SUSPEND;
      case RESUME -> Change.RESUME;
      case SAVEPOINT_REDEPLOY -> Change.SAVEPOINT_REDEPLOY;
      case TRANSITION -> Change.TRANSITION;
    };
  }

  /** How a transition goes. */
  BlueGreenOptions options() {
    return BlueGreenOptions.of(parent.getSpec().configuration());
  }

  /** The same, as a workflow sees it. */
  TransitionSettings settings() {
    BlueGreenOptions options = options();
    Optional<JobSpec> job = Optional.ofNullable(template().job());
    return new TransitionSettings(
        job.map(it -> it.upgradeMode() == UpgradeMode.STATELESS).orElse(false),
        options.grace().toMillis(),
        options.deletionDelay().toMillis(),
        options.onAbort(),
        !options.gates().isNone(),
        job.map(it -> !it.isSuspended()).orElse(true),
        options.cutOver(),
        Summary.of(template()));
  }
}
