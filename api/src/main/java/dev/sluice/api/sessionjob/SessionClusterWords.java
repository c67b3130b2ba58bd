package dev.sluice.api.sessionjob;

/**
 * Why a session cluster can run no job, and what to do: conditions and operations say it in the
 * same words.
 */
public final class SessionClusterWords {

  /** What to do where there is no FlinkDeployment of that name. */
  public static final String CREATE = "Create it, without spec.job";

  /** What to do where the FlinkDeployment is no session cluster. */
  public static final String RENAME =
      "Name another one in spec.deploymentName of the FlinkSessionJob; if its job was deployed"
          + " before, delete the FlinkSessionJob and create it again instead";

  private SessionClusterWords() {}

  /** There is no FlinkDeployment of that name. */
  public static String missing(String name) {
    return "FlinkDeployment " + name + " does not exist";
  }

  /** The FlinkDeployment is about to go. */
  public static String deleting(String name) {
    return "FlinkDeployment " + name + " is being deleted";
  }

  /** The FlinkDeployment has {@code spec.job}. */
  public static String application(String name) {
    return "FlinkDeployment " + name + " is no session cluster: it has a job of its own";
  }
}
