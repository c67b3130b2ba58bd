package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Labels;
import dev.sluice.api.common.KubernetesOptions;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Flink and Sluice overwrite of the user's, in JobManager and TaskManager pods alike. */
final class OverwrittenTemplateFields implements SpecValidation.Rule {
  private static final String MAIN_CONTAINER = "flink-main-container";
  private static final String SELECTED =
      "has no effect: the cluster is selected by this label, so its value is set by Sluice. Use"
          + " another label";

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
    Map<String, String> jobManager = labels(subject, Labels.COMPONENT_JOB_MANAGER);
    checkOption(subject, "kubernetes.jobmanager.labels", jobManager, report);
    Map<String, String> taskManager = labels(subject, Labels.COMPONENT_TASK_MANAGER);
    checkOption(subject, "kubernetes.taskmanager.labels", taskManager, report);
    Map<String, String> services =
        Map.of(
            Labels.APP,
            subject.name(),
            Labels.TYPE,
            subject.spec().mode().label(),
            Labels.MANAGED_BY,
            Labels.MANAGED_BY_SLUICE);
    checkOption(subject, ServiceMetadata.REST + ".labels", services, report);
    checkOption(subject, ServiceMetadata.INTERNAL + ".labels", services, report);
  }

  private static void checkOption(
      Subject subject, String option, Map<String, String> reserved, Report report) {
    Map<String, String> theirs;
    try {
      theirs = new KubernetesOptions(subject.configuration()).map(option);
    } catch (IllegalArgumentException unreadable) {
      return; // refused when it is rendered
    }
    reserved.forEach(
        (label, ours) -> {
          if (!Objects.requireNonNullElse(theirs.get(label), ours).equals(ours)) {
            boolean one = subject.configuration().get(option).isPresent();
            report.warnKey(one ? option : option + "." + label, label + " " + SELECTED);
          }
        });
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
                report.warn(path + ".metadata.labels." + label, SELECTED);
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
    for (String kind : List.of("requests", "limits")) {
      for (String name : List.of("cpu", "memory")) {
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
