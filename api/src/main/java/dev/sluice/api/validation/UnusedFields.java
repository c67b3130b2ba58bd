package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.KubernetesOptions;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;
import dev.sluice.api.deployment.TaskManagerScaling;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fields of the spec that nothing reads, not beside another one, or that are overwritten. */
final class UnusedFields implements SpecValidation.Rule {
  private static final String NO_CHECKPOINTS =
      "has no effect: Flink takes checkpoints by request since 1.17";
  private static final String SELECTED =
      "has no effect: the cluster is selected by this label, so its value is set by Sluice. Use"
          + " another label";
  private static final String MAIN_CONTAINER = "flink-main-container";
  private static final String RESOURCES =
      "the resources of spec.jobManager and spec.taskManager decide";

  /** Of a pod template: what decides in the place of a field. */
  private static final Map<String, String> OF_POD =
      Map.of(
          "serviceAccountName", "spec.serviceAccount decides",
          "hostNetwork", "kubernetes.hostnetwork.enabled in spec.flinkConfiguration decides");

  /** The same of its container for Flink. */
  private static final Map<String, String> OF_MAIN =
      Map.of(
          "command", "Flink's start script is used",
          "args", "Flink's start script is used",
          "resources.requests.cpu", RESOURCES,
          "resources.requests.memory", RESOURCES,
          "resources.limits.cpu", RESOURCES,
          "resources.limits.memory", RESOURCES);

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    checkJob(spec, report);
    if (!spec.isApplication()
        && spec.taskManager().replicas() != null
        && spec.mode() != KubernetesDeploymentMode.STANDALONE) {
      report.warn(
          "spec.taskManager.replicas",
          "has no effect: the JobManager of a native session cluster starts TaskManagers as its jobs"
              + " need them. Remove it");
    }
    var jobManager = spec.jobManager();
    var taskManager = spec.taskManager();
    checkResource("spec.jobManager", jobManager.resource(), jobManager.resources(), report);
    checkResource("spec.taskManager", taskManager.resource(), taskManager.resources(), report);
    checkTemplates(subject, report);
  }

  private static void checkJob(FlinkDeploymentSpec spec, Report report) {
    JobSpec job = spec.job();
    if (job == null) {
      return;
    }
    FlinkVersion version = spec.flinkVersion();
    boolean refusesCheckpoints = version != null && !version.takesCheckpoints();
    if (refusesCheckpoints && job.checkpointTriggerNonce() != null) {
      report.warn("spec.job.checkpointTriggerNonce", NO_CHECKPOINTS);
    }
    if (refusesCheckpoints
        && spec.configuration().has(SnapshotInterval.key(SnapshotType.CHECKPOINT))) {
      report.warnKey(SnapshotInterval.key(SnapshotType.CHECKPOINT), NO_CHECKPOINTS);
    }
    if (job.autoscalerResetNonce() != null) {
      report.warn("spec.job.autoscalerResetNonce", "has no effect yet: there is no autoscaler");
    }
    ClusterSize size = ClusterSize.of(spec);
    boolean replicasGiven = spec.taskManager().replicas() != null;
    if (!replicasGiven && job.parallelism() > 0 && TaskManagerScaling.scales(spec)) {
      report.warn(
          "spec.job.parallelism",
          "has no effect on the job with %s reactive, which takes all slots. It only says that there are %d TaskManagers; use spec.taskManager.replicas"
              .formatted(ReactiveMode.KEY, size.taskManagers()));
    }
    if (replicasGiven && job.parallelism() > 0 && job.parallelism() != size.parallelism()) {
      report.warn(
          "spec.job.parallelism",
          "has no effect beside spec.taskManager.replicas: the parallelism is replicas times"
              + " slots, %d. Remove one of the two".formatted(size.parallelism()));
    }
  }

  private static void checkResource(
      String path,
      @Nullable Resource resource,
      @Nullable ResourceRequirements resources,
      Report report) {
    if (resource == null || resources == null) {
      return;
    }
    String why = "has no effect beside " + path + ".resources. Remove it";
    if (resource.cpu() != null && MemoryRules.has(resources, "cpu")) {
      report.warn(path + ".resource.cpu", why);
    }
    if (resource.memory() != null && MemoryRules.has(resources, "memory")) {
      report.warn(path + ".resource.memory", why);
    }
  }

  private static void checkTemplates(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    Map<String, String> main = new TreeMap<>(OF_MAIN);
    if (spec.image() != null) {
      main.put("image", "spec.image decides");
    }
    if (spec.imagePullPolicy() != null) {
      main.put("imagePullPolicy", "spec.imagePullPolicy decides");
    }
    Map<String, String> cluster =
        Map.of(Labels.APP, subject.name(), Labels.TYPE, spec.mode().label());
    Map<String, String> jobManager = with(cluster, Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER);
    Map<String, String> taskManager =
        with(cluster, Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    // in a template for both, no value of this label can be right
    Map<String, String> both = with(cluster, Labels.COMPONENT, "");
    new Template("spec.podTemplate", both, main, report).check(spec.podTemplate());
    new Template("spec.jobManager.podTemplate", jobManager, main, report)
        .check(spec.jobManager().podTemplate());
    new Template("spec.taskManager.podTemplate", taskManager, main, report)
        .check(spec.taskManager().podTemplate());
    Map<String, String> service = with(cluster, Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    checkLabels(subject, "kubernetes.jobmanager", jobManager, report);
    checkLabels(subject, "kubernetes.taskmanager", taskManager, report);
    checkLabels(subject, ServiceMetadata.REST, service, report);
    checkLabels(subject, ServiceMetadata.INTERNAL, service, report);
  }

  private static Map<String, String> with(Map<String, String> labels, String label, String value) {
    Map<String, String> copy = new TreeMap<>(labels);
    copy.put(label, value);
    return copy;
  }

  /** Labels that the Flink configuration gives. */
  private static void checkLabels(
      Subject subject, String of, Map<String, String> reserved, Report report) {
    String option = of + ".labels";
    Map<String, String> theirs;
    try {
      theirs = new KubernetesOptions(subject.configuration()).map(option);
    } catch (IllegalArgumentException unreadable) {
      return; // refused when it is rendered
    }
    reserved.forEach(
        (label, ours) -> {
          if (!theirs.getOrDefault(label, ours).equals(ours)) {
            boolean one = subject.configuration().get(option).isPresent();
            report.warnKey(one ? option : option + "." + label, label + " " + SELECTED);
          }
        });
  }

  /**
   * @param labels those that Sluice sets
   * @param main what decides in the place of a field of Flink's container
   */
  private record Template(
      String path, Map<String, String> labels, Map<String, String> main, Report report) {

    void check(@Nullable JsonNode template) {
      if (template == null) {
        return;
      }
      labels.forEach(
          (label, ours) -> {
            JsonNode value = template.path("metadata").path("labels").path(label);
            if (value.isTextual() && !value.asText().equals(ours)) {
              report.warn(path + ".metadata.labels." + label, SELECTED);
            }
          });
      warn(".spec.", template.path("spec"), OF_POD);
      JsonNode containers = template.path("spec").path("containers");
      for (int i = 0; i < containers.size(); i++) {
        if (containers.path(i).path("name").asText().equals(MAIN_CONTAINER)) {
          warn(".spec.containers[" + i + "].", containers.path(i), main);
        }
      }
    }

    private void warn(String at, JsonNode object, Map<String, String> fields) {
      fields.forEach(
          (field, why) -> {
            JsonNode value = object.at("/" + field.replace('.', '/'));
            if (!value.isMissingNode() && !value.isNull()) {
              report.warn(path + at + field, "has no effect: " + why + ". Remove it");
            }
          });
    }
  }
}
