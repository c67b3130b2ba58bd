package dev.sluice.workflows.walk;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.activity.StableRequest;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The activities of all lanes of a test server: each call goes to the lane of its resource. */
final class LaneActivities
    implements ResourceActivities,
        JobActivities,
        ClusterActivities,
        RescaleActivities,
        SessionJobActivities,
        PublishActivities {

  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  void add(Lane lane) {
    lanes.put(lane.ref().uid(), lane);
  }

  void remove(Lane lane) {
    lanes.remove(lane.ref().uid());
  }

  private Lane lane(ResourceRequest request) {
    return Objects.requireNonNull(lanes.get(request.resource().uid()), "the case has ended");
  }

  @Override
  public dev.sluice.workflows.model.Observation observe(ObserveRequest request) {
    Lane lane = lane(request);
    return lane.call("Observe", () -> lane.resource.observe(request));
  }

  @Override
  public FreezeResult freezeTarget(FreezeRequest request) {
    Lane lane = lane(request);
    return lane.call("FreezeTarget", () -> lane.resource.freezeTarget(request));
  }

  @Override
  public FreezeResult freezeStable(FreezeStableRequest request) {
    Lane lane = lane(request);
    return lane.call("FreezeStable", () -> lane.resource.freezeStable(request));
  }

  @Override
  public FreezeResult freezeRevision(FreezeRevisionRequest request) {
    Lane lane = lane(request);
    return lane.call("FreezeRevision", () -> lane.resource.freezeRevision(request));
  }

  @Override
  public boolean answerRollback(OperationReport report, boolean mayFollow) {
    Lane lane = lane(report);
    return lane.call("AnswerRollback", () -> lane.resource.answerRollback(report, mayFollow));
  }

  @Override
  public FreezeResult freezeDeployed(FreezeDeployedRequest request) {
    Lane lane = lane(request);
    return lane.call("FreezeDeployed", () -> lane.resource.freezeDeployed(request));
  }

  @Override
  public void recordStop(RecordStopRequest request) {
    Lane lane = lane(request);
    run(lane, "RecordStop", () -> lane.resource.recordStop(request));
  }

  @Override
  public void recordState(RecordStateRequest request) {
    Lane lane = lane(request);
    run(lane, "RecordState", () -> lane.resource.recordState(request));
  }

  @Override
  public void recordEnd(RecordEndRequest request) {
    Lane lane = lane(request);
    run(lane, "RecordEnd", () -> lane.resource.recordEnd(request));
  }

  @Override
  public void markStable(StableRequest request) {
    Lane lane = lane(request);
    run(lane, "MarkStable", () -> lane.resource.markStable(request));
  }

  @Override
  public void report(OperationReport report) {
    Lane lane = lane(report);
    run(
        lane,
        "Report",
        () -> {
          lane.resource.report(report);
          lane.reported(report);
        });
  }

  @Override
  public TakenState stopWithSavepoint(StopRequest request) {
    Lane lane = lane(request);
    return lane.call("StopWithSavepoint", () -> lane.job.stopWithSavepoint(request));
  }

  @Override
  public TakenState cancelJob(CancelRequest request) {
    Lane lane = lane(request);
    return lane.call("CancelJob", () -> lane.job.cancelJob(request));
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    Lane lane = lane(request);
    return lane.call("AwaitRunning", () -> lane.job.awaitRunning(request));
  }

  @Override
  public StableJob awaitStable(AwaitStableRequest request) {
    Lane lane = lane(request);
    lane.environment().invariants().awaitsStable(request.job().jobId());
    return lane.call("AwaitStable", () -> lane.job.awaitStable(request));
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    Lane lane = lane(request);
    run(lane, "DeleteCluster", () -> lane.cluster.deleteCluster(request));
  }

  @Override
  public HeldDeletion awaitNoJobs(AwaitNoJobsRequest request) {
    Lane lane = lane(request);
    return lane.call("AwaitNoJobs", () -> lane.cluster.awaitNoJobs(request));
  }

  @Override
  public HeldDeletion suspendSessionJobs(SuspendSessionJobsRequest request) {
    Lane lane = lane(request);
    return lane.call("SuspendSessionJobs", () -> lane.cluster.suspendSessionJobs(request));
  }

  @Override
  public void checkJar(CheckJarRequest request) {
    Lane lane = lane(request);
    run(lane, "CheckJar", () -> lane.sessionJob.checkJar(request));
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    Lane lane = lane(request);
    run(lane, "CreateCluster", () -> lane.cluster.createCluster(request));
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    Lane lane = lane(request);
    run(lane, "AwaitJobManager", () -> lane.cluster.awaitJobManager(request));
  }

  @Override
  public Answer checkRescale(RescaleRequest request) {
    Lane lane = lane(request);
    return lane.call("CheckRescale", () -> lane.rescale.checkRescale(request));
  }

  @Override
  public Answer changeParallelism(RescaleRequest request) {
    Lane lane = lane(request);
    return lane.call("ChangeParallelism", () -> lane.rescale.changeParallelism(request));
  }

  @Override
  public String awaitParallelism(AwaitParallelismRequest request) {
    Lane lane = lane(request);
    return lane.call("AwaitParallelism", () -> lane.rescale.awaitParallelism(request));
  }

  @Override
  public void updateCluster(RescaleRequest request) {
    Lane lane = lane(request);
    run(lane, "UpdateCluster", () -> lane.rescale.updateCluster(request));
  }

  @Override
  public void undoRescale(RescaleRequest request) {
    Lane lane = lane(request);
    run(lane, "UndoRescale", () -> lane.rescale.undoRescale(request));
  }

  @Override
  public void startJob(StartJobRequest request) {
    Lane lane = lane(request);
    run(lane, "StartJob", () -> lane.sessionJob.startJob(request));
  }

  @Override
  public void endJob(EndJobRequest request) {
    Lane lane = lane(request);
    run(lane, "EndJob", () -> lane.sessionJob.endJob(request));
  }

  /** Beside the steps: no case counts it. */
  @Override
  public void publish(PublishRequest request) {
    lane(request).environment().note("published " + request.taken().location());
  }

  private static void run(Lane lane, String step, Runnable effect) {
    boolean unused =
        lane.call(
            step,
            () -> {
              effect.run();
              return true;
            });
  }
}
