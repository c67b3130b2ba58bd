package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.Labels;

/** Which of the two Flink processes a pod is for. */
enum Role {
  JOB_MANAGER(Labels.COMPONENT_JOB_MANAGER, "containerized.master.env."),
  TASK_MANAGER(Labels.COMPONENT_TASK_MANAGER, "containerized.taskmanager.env.");

  private final String word;
  private final String environment;

  Role(String word, String environment) {
    this.word = word;
    this.environment = environment;
  }

  /** As in Flink's options and in the label of its pods. */
  String word() {
    return word;
  }

  /** Flink's option of that name for this role. */
  String option(String name) {
    return "kubernetes." + word + "." + name;
  }

  /** What options begin with that are environment variables of this role. */
  String environment() {
    return environment;
  }
}
