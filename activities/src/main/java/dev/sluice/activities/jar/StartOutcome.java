package dev.sluice.activities.jar;

/** What is known of a job after an attempt to start it. */
public sealed interface StartOutcome {

  /** Flink has the job, from this attempt or an earlier one. */
  record Started() implements StartOutcome {}

  /**
   * It is certain that no attempt has started the job, and this one will not.
   *
   * @param failed what did not work
   * @param why message for the user, one line, without credentials
   * @param mayPass whether the same attempt may work later
   */
  record NotStarted(Part failed, String why, boolean mayPass) implements StartOutcome {}

  /**
   * The run was sent and its answer is lost, and Flink does not have the job now: it may have it a
   * moment later. The next attempt looks first.
   *
   * @param why message for the user, one line
   */
  record Unknown(String why) implements StartOutcome {}

  /**
   * Flink took the job and failed it at once, as it does when there is nothing at the path to
   * restore from. It does not run, and its id cannot be used again.
   *
   * @param why message for the user, one line
   */
  record FailedAtOnce(String why) implements StartOutcome {}

  /** What has to work before a job is started. */
  enum Part {
    /** The jar comes from where its URI says. */
    ARTIFACT,
    /** The JobManager answers and takes the jar. */
    JOB_MANAGER,
    /** Flink takes the job: its main method, its class, its arguments, its state. */
    PROGRAM
  }
}
