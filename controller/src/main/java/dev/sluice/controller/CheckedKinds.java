package dev.sluice.controller;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotValidation;
import dev.sluice.controller.Controllers.Reconcilers;
import dev.sluice.controller.admission.CheckedKind;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.application.ApplicationCheck;
import dev.sluice.controller.bluegreen.BlueGreenCheck;
import dev.sluice.controller.deployment.SpecCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What the admission webhook asks for each kind: the same check as its reconciler makes. */
public final class CheckedKinds {

  private CheckedKinds() {}

  /**
   * Those that are reconciled.
   *
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   */
  public static List<CheckedKind<?>> of(
      Reconcilers reconcilers, Supplier<DefaultConfiguration> defaults) {
    List<CheckedKind<?>> kinds = new ArrayList<>();
    kinds.add(
        new CheckedKind<>(
            FlinkDeployment.class,
            it -> {
              SpecCheck check = SpecCheck.of(it, defaults.get());
              return new Verdict(check.violations(), check.ignored());
            }));
    reconcilers
        .sessionJobs()
        .map(
            reconciler ->
                new CheckedKind<>(
                    FlinkSessionJob.class,
                    it -> {
                      var check = reconciler.check(it);
                      return new Verdict(check.violations(), check.ignored());
                    }))
        .ifPresent(kinds::add);
    reconcilers
        .snapshots()
        .map(
            reconciler ->
                new CheckedKind<>(
                    FlinkStateSnapshot.class,
                    it -> new Verdict(SnapshotValidation.validate(it), List.of())))
        .ifPresent(kinds::add);
    reconcilers
        .blueGreen()
        .map(
            reconciler ->
                new CheckedKind<>(
                    FlinkBlueGreenDeployment.class,
                    it -> {
                      BlueGreenCheck check = BlueGreenCheck.of(it, defaults.get());
                      return new Verdict(check.violations(), check.ignored());
                    }))
        .ifPresent(kinds::add);
    reconcilers
        .applications()
        .map(
            reconciler ->
                new CheckedKind<>(
                    FlinkApplication.class,
                    it -> {
                      ApplicationCheck newest = ApplicationCheck.of(it);
                      return new Verdict(newest.violations(), newest.ignored());
                    }))
        .ifPresent(kinds::add);
    return kinds;
  }
}
