package dev.sluice.activities.application;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.application.VersionLimits;
import java.util.List;
import java.util.function.Function;

/**
 * By which specs of applications are read.
 *
 * @param validation of an application
 * @param limits how long the steps may take where neither the job nor its spec says
 */
public record ApplicationRules(
    Function<FlinkApplication, List<Violation>> validation, VersionLimits limits) {

  /** The same for a spec that runs already. */
  ApplicationRules unchecked() {
    return new ApplicationRules(runs -> List.of(), limits);
  }
}
