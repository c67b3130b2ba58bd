package dev.sluice.api.validation;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import java.util.List;
import java.util.Map;

/**
 * Labels that select the cluster's pods and objects. A Deployment whose pods do not carry the
 * labels of its selector is refused by Kubernetes, and objects without ours are not found again.
 */
final class SelectorLabelRules implements Rule {
  private static final String JOB_MANAGER = "kubernetes.jobmanager.labels";
  private static final String TASK_MANAGER = "kubernetes.taskmanager.labels";

  /** Flink's options whose labels end up on pods and objects of the cluster. */
  static final List<String> OPTIONS =
      List.of(
          JOB_MANAGER,
          TASK_MANAGER,
          "kubernetes.rest-service.labels",
          "kubernetes.internal-service.labels");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    for (String option : OPTIONS) {
      Map<String, String> ours = ours(option, subject);
      Parsing.of(option, report, () -> new KubernetesOptions(own).map(option))
          .ifPresent(
              labels ->
                  labels.forEach(
                      (label, value) -> {
                        if (ours.containsKey(label) && !value.equals(ours.get(label))) {
                          report.add(path(own, option, label), message(label, ours.get(label)));
                        }
                      }));
    }
  }

  /** The option as it was written: one map, or one key for each entry. */
  static String path(FlinkConfiguration configuration, String option, String entry) {
    return Subject.keyPath(configuration.get(option).isPresent() ? option : option + "." + entry);
  }

  private static Map<String, String> ours(String option, Subject subject) {
    String component =
        option.equals(TASK_MANAGER) ? Labels.COMPONENT_TASK_MANAGER : Labels.COMPONENT_JOB_MANAGER;
    return Map.of(
        Labels.APP,
        subject.name(),
        Labels.COMPONENT,
        component,
        Labels.TYPE,
        subject.spec().mode().label(),
        Labels.MANAGED_BY,
        Labels.MANAGED_BY_SLUICE);
  }

  private static String message(String label, Object ours) {
    return "must not set the label "
        + Printable.quoted(label)
        + ": the cluster is selected by its value "
        + Printable.quoted(ours)
        + ". Remove it, or use another label";
  }
}
