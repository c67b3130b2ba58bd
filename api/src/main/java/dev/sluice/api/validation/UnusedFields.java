package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressAddress;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;
import dev.sluice.api.deployment.TaskManagerScaling;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.jspecify.annotations.Nullable;

/** Fields of the spec that nothing reads, or not beside another one. */
final class UnusedFields implements SpecValidation.Rule {
  private static final String NOT_YET = "has no effect yet: ";
  private static final String NO_CHECKPOINTS =
      "has no effect: Flink takes checkpoints by request since 1.17";

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    checkIngress(subject, report);
    checkJob(spec, report);
    if (!spec.isApplication()
        && spec.taskManager().replicas() != null
        && spec.mode() != KubernetesDeploymentMode.STANDALONE) {
      report.warn(
          "spec.taskManager.replicas",
          "has no effect: the JobManager of a native session cluster starts TaskManagers as its jobs"
              + " need them. Remove it");
    }
    checkResource(
        "spec.jobManager", spec.jobManager().resource(), spec.jobManager().resources(), report);
    checkResource(
        "spec.taskManager", spec.taskManager().resource(), spec.taskManager().resources(), report);
  }

  private static void checkIngress(Subject subject, Report report) {
    IngressSpec ingress = subject.spec().ingress();
    if (ingress == null || ingress.template() == null) {
      return;
    }
    try {
      Integer port =
          IngressAddress.of(ingress.template(), subject.name(), subject.namespace()).port();
      if (port != null) {
        report.warn(
            "spec.ingress.template",
            "its port " + port + " has no effect: the Ingress controller decides. Remove it");
      }
    } catch (IllegalArgumentException refused) {
      // ClusterRules says so
    }
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
    if (refusesCheckpoints && spec.configuration().has(ConfigKeys.PERIODIC_CHECKPOINT)) {
      report.warnKey(ConfigKeys.PERIODIC_CHECKPOINT, NO_CHECKPOINTS);
    }
    if (job.autoscalerResetNonce() != null) {
      report.warn("spec.job.autoscalerResetNonce", NOT_YET + "there is no autoscaler");
    }
    checkParallelism(spec, job, report);
  }

  private static void checkParallelism(FlinkDeploymentSpec spec, JobSpec job, Report report) {
    ClusterSize size = ClusterSize.of(spec);
    int parallelism = size.parallelism();
    boolean replicasGiven = spec.taskManager().replicas() != null;
    if (!replicasGiven && job.parallelism() > 0 && TaskManagerScaling.scales(spec)) {
      report.warn(
          "spec.job.parallelism",
          "has no effect on the job with %s reactive, which takes all slots. It only says that there are %d TaskManagers; use spec.taskManager.replicas"
              .formatted(ReactiveMode.KEY, size.taskManagers()));
    }
    if (replicasGiven && job.parallelism() > 0 && job.parallelism() != parallelism) {
      report.warn(
          "spec.job.parallelism",
          "has no effect beside spec.taskManager.replicas: the parallelism is replicas times"
              + " slots, "
              + parallelism
              + ". Remove one of the two");
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
    if (resource.cpu() != null && MemoryRules.has(resources, "cpu")) {
      report.warn(path + ".resource.cpu", beside(path));
    }
    if (resource.memory() != null && MemoryRules.has(resources, "memory")) {
      report.warn(path + ".resource.memory", beside(path));
    }
  }

  private static String beside(String path) {
    return "has no effect beside " + path + ".resources. Remove it";
  }
}
