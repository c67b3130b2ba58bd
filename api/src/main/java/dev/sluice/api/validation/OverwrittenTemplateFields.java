package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Labels;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields of pod templates that Flink overwrites, in its JobManager and TaskManager pods alike. */
final class OverwrittenTemplateFields implements Rule {
  private static final String MAIN_CONTAINER = "flink-main-container";

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    check(subject, "spec.podTemplate", spec.podTemplate(), null, report);
    check(
        subject,
        "spec.jobManager.podTemplate",
        spec.jobManager().podTemplate(),
        Labels.COMPONENT_JOB_MANAGER,
        report);
    check(
        subject,
        "spec.taskManager.podTemplate",
        spec.taskManager().podTemplate(),
        Labels.COMPONENT_TASK_MANAGER,
        report);
  }

  private static void check(
      Subject subject,
      String path,
      @Nullable JsonNode template,
      @Nullable String component,
      Report report) {
    if (template == null) {
      return;
    }
    labels(subject, component)
        .forEach(
            (label, ours) -> {
              JsonNode value = template.path("metadata").path("labels").path(label);
              if (value.isTextual() && !value.asText().equals(ours)) {
                report.warn(
                    path + ".metadata.labels." + label,
                    "has no effect: the cluster is selected by this label, so its value is set by"
                        + " Sluice. Use another label");
              }
            });
    JsonNode spec = template.path("spec");
    overwritten(path + ".spec", spec, "serviceAccountName", "spec.serviceAccount decides", report);
    overwritten(
        path + ".spec",
        spec,
        "hostNetwork",
        "kubernetes.hostnetwork.enabled in spec.flinkConfiguration decides",
        report);
    JsonNode containers = spec.path("containers");
    for (int i = 0; i < containers.size(); i++) {
      if (containers.path(i).path("name").asText().equals(MAIN_CONTAINER)) {
        checkMain(subject, path + ".spec.containers[" + i + "]", containers.path(i), report);
      }
    }
  }

  private static void checkMain(Subject subject, String path, JsonNode main, Report report) {
    if (subject.spec().image() != null) {
      overwritten(path, main, "image", "spec.image decides", report);
    }
    if (subject.spec().imagePullPolicy() != null) {
      overwritten(path, main, "imagePullPolicy", "spec.imagePullPolicy decides", report);
    }
    overwritten(path, main, "command", "Flink's start script is used", report);
    overwritten(path, main, "args", "Flink's start script is used", report);
    for (String kind : new String[] {"requests", "limits"}) {
      for (String name : new String[] {"cpu", "memory"}) {
        overwritten(
            path + ".resources." + kind,
            main.path("resources").path(kind),
            name,
            "the resources of spec.jobManager and spec.taskManager decide",
            report);
      }
    }
  }

  private static void overwritten(
      String path, JsonNode object, String field, String why, Report report) {
    if (object.hasNonNull(field)) {
      report.warn(path + "." + field, "has no effect: " + why + ". Remove it");
    }
  }

  /** In a template for both, no value of {@code component} can be right. */
  private static Map<String, String> labels(Subject subject, @Nullable String component) {
    return Map.of(
        Labels.APP,
        subject.name(),
        Labels.TYPE,
        subject.spec().mode().label(),
        Labels.COMPONENT,
        component == null ? "" : component);
  }
}
