package dev.sluice.workflows.operation;

/** The steps of the operations, by the name that is shown. */
public enum Step {
  /** Look at the resource, its cluster and its job. */
  OBSERVE("Observe"),
  /** Write the target into the status, before the first effect. */
  FREEZE_TARGET("FreezeTarget"),
  /** Write into the status that the job is about to be stopped, or that its savepoint failed. */
  RECORD_STOP("RecordStop"),
  /** Take the job's state and stop it. */
  STOP_WITH_SAVEPOINT("StopWithSavepoint"),
  /** Stop the job and keep its last checkpoint, or nothing of it. */
  CANCEL_JOB("CancelJob"),
  /** Write where the state is, before anything is destroyed. */
  RECORD_STATE("RecordState"),
  /** Wait until the FlinkSessionJobs of a session cluster that goes have suspended their jobs. */
  SUSPEND_SESSION_JOBS("SuspendSessionJobs"),
  /** Wait until no job holds the deletion of a session cluster. */
  AWAIT_NO_JOBS("AwaitNoJobs"),
  /** Delete the cluster and wait until no pod is left. */
  DELETE_CLUSTER("DeleteCluster"),
  /** Write how a job ended and what it left, before its cluster goes. */
  RECORD_END("RecordEnd"),
  /** Apply the manifests of the frozen target. */
  CREATE_CLUSTER("CreateCluster"),
  /** Fetch the jar of the target, before the job that runs is stopped for it. */
  CHECK_JAR("CheckJar"),
  /** Have a session cluster run the job. */
  START_JOB("StartJob"),
  /** Make sure that the job on a session cluster does not run any more. */
  END_JOB("EndJob"),
  /** Wait until the JobManager answers. */
  AWAIT_JOB_MANAGER("AwaitJobManager"),
  /** Wait until every task is up, and check what was restored. */
  AWAIT_RUNNING("AwaitRunning"),
  /** Wait until the job, whose tasks are up, counts as stable, if more is asked for than that. */
  AWAIT_STABLE("AwaitStable"),
  /** Look whether the parallelism of the job can be changed while it runs. */
  CHECK_RESCALE("CheckRescale"),
  /** Have Flink run the job with another parallelism. */
  CHANGE_PARALLELISM("ChangeParallelism"),
  /** Wait until every vertex of the job runs with that. */
  AWAIT_PARALLELISM("AwaitParallelism"),
  /** Make what the cluster was made from say that. */
  UPDATE_CLUSTER("UpdateCluster"),
  /** Take the change of the parallelism back. */
  UNDO_RESCALE("UndoRescale"),
  /** Write that the target is stable. */
  MARK_STABLE("MarkStable"),
  /** Wait until every task of the job of a snapshot is up. */
  AWAIT_JOB("AwaitJob"),
  /** Trigger a savepoint or checkpoint of a job that runs on, and wait for it. */
  TAKE_SNAPSHOT("TakeSnapshot"),
  /** Write what became of a snapshot. */
  RECORD_SNAPSHOT("RecordSnapshot"),
  /** Have Flink delete the files of a savepoint. */
  DISPOSE_SAVEPOINT("DisposeSavepoint"),
  /** Write into the status that a transition to another child begins. */
  BEGIN_TRANSITION("BeginTransition"),
  /** Take a savepoint of the live job, which runs on, for the child that comes. */
  TAKE_TRANSITION_SAVEPOINT("TakeTransitionSavepoint"),
  /** Write the spec of a child. */
  APPLY_CHILD("ApplyChild"),
  /** Wait until a child has reached its spec. */
  AWAIT_CHILD("AwaitChild"),
  /** Stop the live job, so that the new one starts from where it stopped. */
  STOP_LIVE("StopLive"),
  /** Have the live job run again that was stopped for a new one. */
  RESUME_LIVE("ResumeLive"),
  /** Wait until the job of the child that comes is through the gates. */
  AWAIT_GATES("AwaitGates"),
  /** Make another child live. */
  SWITCH_LIVE("SwitchLive"),
  /** Wait until the Ingress points at the live child. */
  AWAIT_INGRESS("AwaitIngress"),
  /** Have a child suspend its job. */
  SUSPEND_CHILD("SuspendChild"),
  /** Delete a child and wait until it is gone. */
  DELETE_CHILD("DeleteChild"),
  /** Write that a transition has ended. */
  END_TRANSITION("EndTransition"),
  /** Make the newest spec of an application a version to be deployed. */
  FREEZE_VERSION("FreezeVersion"),
  /** Make what Lyft's operator has deployed the deployed version. */
  ADOPT_VERSION("AdoptVersion"),
  /** Make the cluster of a version, in addition to those that there are. */
  CREATE_VERSION("CreateVersion"),
  /** Wait until the cluster of a version has all its slots. */
  AWAIT_VERSION("AwaitVersion"),
  /** Give a cluster that runs another number of TaskManagers. */
  SCALE_VERSION("ScaleVersion"),
  /** Take a savepoint of the job of a version, which stops with it or goes on. */
  TAKE_VERSION_SAVEPOINT("TakeVersionSavepoint"),
  /** Stop the job of a version without a savepoint. */
  CANCEL_VERSION_JOB("CancelVersionJob"),
  /** Look for the newest state of the job of a version. */
  FIND_VERSION_STATE("FindVersionState"),
  /** Write how far an application has come, before what follows from it is done. */
  RECORD_VERSIONS("RecordVersions"),
  /** Have the cluster of a version run its job. */
  SUBMIT_VERSION_JOB("SubmitVersionJob"),
  /** Wait until every task of the job of a version is up. */
  AWAIT_VERSION_JOB("AwaitVersionJob"),
  /** Point the Service of the application at a version. */
  CUT_OVER("CutOver"),
  /** Wait until the new version of two that run has proved itself. */
  AWAIT_PROMOTION("AwaitPromotion"),
  /** Delete the cluster of a version and wait until no pod is left. */
  DELETE_VERSION("DeleteVersion"),
  /** Write into the status how far this run has come. */
  REPORT("Report");

  private final String title;

  Step(String title) {
    this.title = title;
  }

  /** Whether the step itself writes into the status how far the operation has come. */
  public boolean writesOperation() {
    return switch (this) {
      case FREEZE_TARGET,
          RECORD_STOP,
          RECORD_STATE,
          MARK_STABLE,
          RECORD_SNAPSHOT,
          BEGIN_TRANSITION,
          SWITCH_LIVE,
          END_TRANSITION,
          FREEZE_VERSION,
          ADOPT_VERSION,
          RECORD_VERSIONS,
          REPORT ->
          true;
      default -> false;
    };
  }

  /**
   * The value of the search attribute {@code FlinkStep}; also the activity type, except that a
   * rollback or an abort freezes with {@code FreezeStable}, and that the lanes of snapshots and
   * applications have activities of their own for Observe and Report.
   */
  public String title() {
    return title;
  }
}
