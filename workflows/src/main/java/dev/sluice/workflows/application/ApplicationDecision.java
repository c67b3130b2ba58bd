package dev.sluice.workflows.application;

import org.jspecify.annotations.Nullable;

/** What a run does next: one observation in, one of these out. */
public sealed interface ApplicationDecision {

  /** Why, in one sentence. */
  String why();

  /**
   * Everything is done for the newest generation, which is only to be recorded.
   *
   * @param record what the status is to say
   */
  record Settled(ApplicationRecord record, String why) implements ApplicationDecision {}

  /** The newest spec is not valid: nothing is done for it, and nothing is recorded. */
  record Invalid(String why) implements ApplicationDecision {}

  /** Lyft's operator has deployed what runs: make that the deployed version, and change nothing. */
  record Adopt(String why) implements ApplicationDecision {}

  /**
   * Freeze the newest spec as a version and deploy it. A target that is there is removed first.
   *
   * @param kind how
   */
  record Begin(Kind kind, String why) implements ApplicationDecision {}

  /**
   * A version is frozen, by this run or by an earlier one: go on with it.
   *
   * @param stage the first that is not known to be done
   * @param from what its job starts from; null except where its state is taken
   */
  record GoOn(Stage stage, @Nullable From from, String why) implements ApplicationDecision {}

  /** Give the target up: the deployed job was never asked to stop, or there is none. */
  record GiveUp(String why) implements ApplicationDecision {}

  /** Give the target up, and start the deployed version again from the recorded state. */
  record RollBack(String why) implements ApplicationDecision {}

  /**
   * Two versions run, and both stay: until one is torn down, or the target has proved itself.
   *
   * @param record what the status is to say
   */
  record KeepBoth(ApplicationRecord record, String why) implements ApplicationDecision {}

  /**
   * Remove one of the two versions that run.
   *
   * @param remove the one that goes
   * @param keep the one that stays, or becomes, the deployed one
   */
  record TearDown(VersionRef remove, VersionRef keep, String why) implements ApplicationDecision {}

  /**
   * The cluster of a version has lost its job: start it again from its newest state.
   *
   * @param version it
   */
  record Recover(VersionRef version, String why) implements ApplicationDecision {}

  /** Too much is not known yet: observe again, with patience. */
  record Settle(String why) implements ApplicationDecision {}

  /**
   * Nothing can be done now.
   *
   * @param blocked true when the cause may pass by itself, false when action is required
   * @param reason a documented constant, see {@code Reasons}
   * @param why what is wrong and what can be done
   */
  record Hold(boolean blocked, String reason, String why) implements ApplicationDecision {}

  /** How a version is deployed. */
  enum Kind {
    /** The first one. */
    FIRST,
    /** On a cluster of its own, then in place of the deployed one. */
    DUAL,
    /** On a cluster of its own, next to the deployed one. */
    BESIDE,
    /** On the cluster of the deployed one, which gets more TaskManagers. */
    IN_PLACE
  }

  /** What the job of a version starts from. */
  enum From {
    /** The savepoint that the spec names, or nothing if it names none. */
    NAMED,
    /**
     * A savepoint that the old job is stopped with; in mode BlueGreen one that it goes on after.
     */
    SAVEPOINT,
    /** Nothing: {@code savepointDisabled}. */
    NOTHING,
    /** The newest checkpoint of a job that no savepoint can be taken of. */
    CHECKPOINT
  }

  /** What is still to be done for a version that is frozen. */
  enum Stage {
    /** Make its cluster, or scale the one it is on. */
    CREATE,
    /** Wait for its cluster. */
    AWAIT_CLUSTER,
    /** Find out whether the old job runs: its JobManager is silent. */
    CONFIRM_DOWN,
    /** Take the state of the old job; except in mode BlueGreen, stop it. */
    TAKE_STATE,
    /** Submit its job, under the recorded id. */
    SUBMIT,
    /** Wait until its job is up. */
    AWAIT_JOB,
    /** Point the Service at it, and record that it is deployed. */
    CUT_OVER,
    /** It is deployed: delete the cluster of the version that it has replaced. */
    REMOVE_OLD
  }
}
