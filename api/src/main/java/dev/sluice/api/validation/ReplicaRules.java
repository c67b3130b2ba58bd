package dev.sluice.api.validation;

final class ReplicaRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    int jobManagers = subject.spec().jobManager().replicas();
    if (jobManagers < 1) {
      report.add("spec.jobManager.replicas", "must be at least 1, is " + jobManagers);
    }
    if (jobManagers > 1 && !ConfigKeys.hasHighAvailability(subject.configuration())) {
      report.add(
          "spec.jobManager.replicas",
          "must be 1 without high availability, is "
              + jobManagers
              + ". Set high-availability.type: kubernetes and high-availability.storageDir");
    }
    Integer taskManagers = subject.spec().taskManager().replicas();
    if (taskManagers != null && taskManagers < 1) {
      report.add("spec.taskManager.replicas", "must be at least 1, is " + taskManagers);
    }
  }
}
