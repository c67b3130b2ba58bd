package dev.sluice.workflows.environment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.activity.SessionJobActivities.EndJobRequest;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps of an operator as straight code, so that a test leaves one out or does it wrongly. */
public final class StraightOperator {

  final Environment environment;
  private final ResourceRef ref;
  private final ClusterRef cluster;
  private final RunRef run = new RunRef("Upgrade", "lane", "run");
  private final ResourceEffects resource;
  private final JobEffects job;
  private final ClusterEffects clusters;
  private final SessionJobEffects sessionJobs;
  private int jobs;

  StraightOperator(Environment environment) {
    this.environment = environment;
    ref = environment.resource().ref();
    cluster = new ClusterRef(ref.namespace(), ref.name());
    resource = new ResourceEffects(environment, Moments.QUIET);
    job = new JobEffects(environment, Moments.QUIET);
    clusters = new ClusterEffects(environment, Moments.QUIET);
    sessionJobs = new SessionJobEffects(environment, Moments.QUIET);
  }

  /** What Finish does first about a job that has ended with high availability. */
  public static void recordEnd(Environment environment) {
    Observation seen = environment.observation();
    if (seen.job() instanceof Ended ended) {
      StraightOperator operator = new StraightOperator(environment);
      operator.resource.recordEnd(new RecordEndRequest(operator.ref, ended, seen.standing()));
    }
  }

  /** Somebody deletes the Deployment of the TaskManagers by hand. */
  public static void deleteTaskManagers(Environment environment) {
    synchronized (environment) {
      environment.note("TaskManagers deleted by hand");
      environment.kubernetes().taskManagers(false);
    }
  }

  /** A first deployment that ran for a while. */
  static StraightOperator running(Spec spec) {
    StraightOperator operator =
        new StraightOperator(
            new Environment(
                new ResourceRef("kube-1", "FlinkDeployment", "default", "orders", "0a1b2c3d")));
    operator.deploy(spec);
    return operator;
  }

  /** Deploys the first spec of a resource, and lets its job run for a while. */
  public static void deploy(Environment environment, Spec spec) {
    new StraightOperator(environment).deploy(spec);
  }

  /** The job of the spec ran for a while and is suspended. */
  public static void suspend(Environment environment, Spec spec) {
    StraightOperator operator = new StraightOperator(environment);
    operator.deploy(spec);
    environment.resource().apply(spec.asSuspended());
    operator.observe();
    operator.freeze();
    String jobId = operator.running().jobId();
    operator.record(operator.stop(), jobId);
    operator.deleteCluster();
    operator.markSuspended();
  }

  /** The same, and only its high-availability metadata is left of it. */
  public static void suspendToMetadata(Environment environment, Spec spec) {
    StraightOperator operator = new StraightOperator(environment);
    operator.deploy(spec);
    environment.resource().apply(spec.asSuspended());
    operator.observe();
    operator.freeze();
    operator.deleteClusterKeeping(operator.recordMetadata().startedJob());
    operator.markSuspended();
  }

  /** The job was upgraded from one spec to the other, and ran for a while. */
  public static void upgrade(Environment environment, Spec from, Spec to) {
    StraightOperator operator = new StraightOperator(environment);
    operator.startInPlaceOf(from, to);
    operator.markStable();
    environment.tick(10);
  }

  /**
   * The job of the first spec was stopped for the second one, whose job works and is not stable.
   */
  public static void beginUpgrade(Environment environment, Spec from, Spec to) {
    new StraightOperator(environment).startInPlaceOf(from, to);
    environment.tick(10);
  }

  /** The next spec of a session cluster is frozen and recorded; the cluster before is untouched. */
  public static void recordNextSession(Environment environment, Spec from, Spec to) {
    StraightOperator operator = new StraightOperator(environment);
    operator.deploy(from);
    environment.resource().apply(to);
    operator.observe();
    operator.freeze();
    operator.record(StateRef.Empty.SESSION, operator.running().jobId());
  }

  /** The first cluster answers, and is not stable yet. */
  public static void beginDeploy(Environment environment, Spec spec) {
    StraightOperator operator = new StraightOperator(environment);
    environment.resource().apply(spec);
    operator.observe();
    operator.freeze();
    operator.start(operator.record(StateRef.Empty.SESSION, null));
    environment.tick(10);
  }

  private void startInPlaceOf(Spec from, Spec to) {
    deploy(from);
    environment.resource().apply(to);
    observe();
    freeze();
    String jobId = running().jobId();
    RestorePoint recorded = record(stop(), jobId);
    deleteCluster();
    start(recorded);
  }

  private void deploy(Spec spec) {
    environment.resource().apply(spec);
    observe();
    freeze();
    start(record(new StateRef.Empty("first deployment"), null));
    markStable();
    environment.tick(10);
  }

  Observation observe() {
    return resource.observe(new ObserveRequest(ref, 0));
  }

  void freeze() {
    long newest = environment.resource().newest().generation();
    resource.freezeTarget(
        new FreezeRequest(
            ref, run, newest, null, false, null, "StopWithSavepoint", "", null, standing()));
  }

  StateRef stop() {
    beginStop("trigger");
    return job.stopWithSavepoint(new StopRequest(ref, running(), "trigger", 0, 0)).state();
  }

  private void beginStop(@Nullable String trigger) {
    if (environment.resource().begun()) {
      PendingStop stop = new PendingStop(running().jobId(), trigger, null);
      resource.recordStop(new RecordStopRequest(ref, stop, null, standing()));
    }
  }

  /** As a deletion does. */
  StateRef stopForGood() {
    return job.stopWithSavepoint(new StopRequest(ref, running(), "trigger", 0, 0, true)).state();
  }

  StateRef cancel(OnlyIf onlyIf) {
    beginStop(null);
    return job.cancelJob(new CancelRequest(ref, running(), onlyIf, 0)).state();
  }

  RestorePoint record(StateRef state, @Nullable String takenFrom) {
    RestorePoint point = new RestorePoint(state, takenFrom, "%032x".formatted(++jobs));
    resource.recordState(
        new RecordStateRequest(ref, point, "DeleteCluster", "", null, null, standing(), null));
    return point;
  }

  /** The job that runs is to go on from its metadata. */
  RestorePoint recordMetadata() {
    String job = environment.observation().cluster().jobId();
    RestorePoint point = RestorePoint.of(new StateRef.HaMetadata(job), job, job);
    resource.recordState(
        new RecordStateRequest(ref, point, "DeleteCluster", "", null, null, standing(), null));
    return point;
  }

  void deleteClusterKeeping(String job) {
    clusters.deleteCluster(
        new DeleteClusterRequest(ref, cluster, Set.of(job), null, null, job, false, null, 0));
  }

  void deleteCluster() {
    if (environment.host() != null) {
      JobRef there = new JobRef(cluster, environment.observation().cluster().jobId());
      sessionJobs.endJob(new EndJobRequest(ref, there, null, 0));
      return;
    }
    clusters.deleteCluster(new DeleteClusterRequest(ref, cluster, Set.of(), null, false, 0));
  }

  void deleteEverything() {
    clusters.deleteCluster(new DeleteClusterRequest(ref, cluster, Set.of(), null, true, 0));
  }

  void create(RestorePoint from) {
    JobRef next = new JobRef(cluster, from.startedJob());
    long generation = environment.resource().frozen().generation();
    if (environment.host() != null) {
      sessionJobs.startJob(new StartJobRequest(ref, next, generation, from.state(), 0));
    } else {
      clusters.createCluster(new CreateClusterRequest(ref, next, generation, from.state()));
    }
  }

  void start(RestorePoint from) {
    create(from);
    JobRef started = new JobRef(cluster, from.startedJob());
    if (environment.host() == null) {
      clusters.awaitJobManager(new AwaitJobManagerRequest(ref, started, 0));
    }
    if (SessionModel.is(environment.resource().frozen())) {
      return;
    }
    job.awaitRunning(new AwaitRunningRequest(ref, started, from.state(), 0));
    StableAfter wanted = ResourceEffects.proof(environment.resource().frozen());
    if (wanted != null) {
      job.awaitStable(new AwaitStableRequest(ref, started, wanted, 0, 0));
    }
  }

  void markStable() {
    resource.markStable(
        new StableRequest(
            report(OperationState.SUCCEEDED), environment.resource().recorded().startedJob()));
  }

  void markSuspended() {
    resource.markStable(new StableRequest(report(OperationState.SUCCEEDED), null));
  }

  void answerRollback(boolean mayFollow) {
    boolean unused = resource.answerRollback(report(OperationState.ABORTED), mayFollow);
  }

  void freezeStable(RestorePoint recorded) {
    resource.freezeStable(
        new FreezeStableRequest(report(OperationState.RUNNING), recorded, standing()));
  }

  /** The savepoint that was just taken, when the cluster is gone and another is to be made. */
  RestorePoint recordedFromSavepoint() {
    StateRef state = stop();
    return record(state, "0");
  }

  private Standing standing() {
    return environment.observation().standing();
  }

  private OperationReport report(OperationState state) {
    return new OperationReport(
        ref,
        run,
        state,
        "MarkStable",
        environment.resource().frozen().generation(),
        null,
        "",
        null,
        null,
        null);
  }

  private JobRef running() {
    JobObservation seen = environment.observation().job();
    String id = seen instanceof JobObservation.Alive alive ? alive.jobId() : "";
    return new JobRef(cluster, id);
  }
}
