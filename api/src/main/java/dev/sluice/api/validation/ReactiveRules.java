package dev.sluice.api.validation;

import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;

/** Where Flink has reactive mode: any other entry point ends at once with it. */
final class ReactiveRules implements Rule {

  @Override
  public void check(Subject subject, Report report) {
    if (!ReactiveMode.isOn(subject.configuration())) {
      return;
    }
    if (subject.spec().mode() != KubernetesDeploymentMode.STANDALONE) {
      report.add(
          Subject.keyPath(ReactiveMode.KEY),
          "reactive works with spec.mode standalone only: in native mode the JobManager decides how"
              + " many TaskManagers there are. Remove the key");
    } else if (!subject.spec().isApplication()) {
      report.add(
          Subject.keyPath(ReactiveMode.KEY),
          "reactive works with one job only, that of spec.job. Remove the key");
    }
  }
}
