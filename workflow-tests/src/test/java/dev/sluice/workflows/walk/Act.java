package dev.sluice.workflows.walk;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.RescaleEffects;
import dev.sluice.workflows.environment.SessionCluster.Leaving;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.walk.Point.Moment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiConsumer;

/** Something that happens at one moment of an effect. */
enum Act {
  // ---- a worker, a network ----
  /** The worker is lost; the engine tries the activity again. */
  LOSE_WORKER(
      Kind.FAULT,
      (lane, point) -> {
        throw WorkerLost.at(point);
      }),
  /** It is done, and no attempt of the activity ever says so. */
  ANSWER_LOST(
      Kind.FAULT,
      EnumSet.of(Moment.AFTER),
      (lane, point) -> {
        throw WorkerLost.forGood(point);
      }),
  /** The worker that has the run in memory is lost; another one replays its history. */
  LOSE_WORKFLOW_WORKER(Kind.FAULT, (lane, point) -> lane.forgetRun()),
  /** A run that is held begins anew. */
  HISTORY_IS_LONG(Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.historyIsLong()),
  /** The effect is carried out twice. */
  TWICE(Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.twice(point.call())),
  /** The request hangs somewhere and takes effect after two more calls. */
  LATE(Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.late(point.call(), 2)),
  /** The same, after four more calls. */
  VERY_LATE(Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.late(point.call(), 4)),
  /** Time passes, in which the job works and completes checkpoints. */
  SLOW(Kind.FAULT, (lane, point) -> lane.environment().tick(12)),
  /** It fails three times for a reason that passes. */
  FAIL_THREE_TIMES(
      Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.failNext(point.step(), 3)),
  API_SERVER_AWAY(
      Kind.FAULT,
      EnumSet.of(Moment.BEFORE, Moment.DURING),
      (lane, point) -> lane.environment().apiServerAway(3)),
  API_SERVER_AWAY_LONG(
      Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.environment().apiServerAway(24)),
  FLINK_AWAY(Kind.FAULT, (lane, point) -> lane.environment().flinkAway(8)),
  FLINK_AWAY_LONG(
      Kind.FAULT, EnumSet.of(Moment.BEFORE), (lane, point) -> lane.environment().flinkAway(100)),

  // ---- people who ask ----
  ABORT(Kind.REQUEST, (lane, point) -> lane.abort()),
  ROLLBACK(Kind.REQUEST, (lane, point) -> lane.rollBack(null)),
  ROLLBACK_TO_THE_FIRST(Kind.REQUEST, (lane, point) -> lane.rollBack(1L)),
  RETRY(Kind.REQUEST, (lane, point) -> lane.signal(LaneSignals.RETRY)),
  NEWER_SPEC(Kind.REQUEST, (lane, point) -> lane.applyAndTell(newer("newer"))),
  /** Another parallelism where that alone can be changed; else the same again. */
  RESCALE(Kind.REQUEST, (lane, point) -> lane.applyAndTell(rescaled(lane))),
  NEWER_STATELESS_SPEC(
      Kind.REQUEST,
      (lane, point) -> lane.applyAndTell(newer("stateless").mode(UpgradeMode.STATELESS))),
  /** With high availability where the newest spec has it. */
  SUSPENSION(Kind.REQUEST, (lane, point) -> lane.applyAndTell(suspension(lane))),
  /** Its signal comes later: the controller is away. */
  NEWER_SPEC_UNTOLD(
      Kind.REQUEST,
      EnumSet.of(Moment.BEFORE, Moment.AFTER),
      (lane, point) -> lane.environment().resource().apply(newer("untold"))),
  INVALID_SPEC(Kind.REQUEST, (lane, point) -> lane.applyAndTell(newer("invalid").invalid())),
  /** Back to the spec that was stable last. */
  REVERT(Kind.REQUEST, (lane, point) -> lane.revert()),
  /** The same again but for an ignored field. */
  IGNORED_CHANGE(Kind.REQUEST, (lane, point) -> lane.touch()),
  GENERATION_THAT_IS_NOT_THERE(
      Kind.REQUEST, (lane, point) -> lane.signal(LaneSignals.RETARGET, 999_999L)),
  DELETE_SIGNAL_BY_HAND(Kind.REQUEST, (lane, point) -> lane.signalDeletion()),
  DELETION(Kind.REQUEST, (lane, point) -> lane.delete()),
  CANCEL_IN_TEMPORAL(Kind.REQUEST, (lane, point) -> lane.cancel()),
  TERMINATE_IN_TEMPORAL(Kind.REQUEST, (lane, point) -> lane.terminate()),
  /** The run is terminated, and the activity that it left takes no effect. */
  TERMINATE_AND_LOSE_WORKER(
      Kind.REQUEST,
      (lane, point) -> {
        lane.terminate();
        throw WorkerLost.at(point);
      }),
  /** Its finalizer is removed by force. */
  REMOVAL_BY_FORCE(
      Kind.REQUEST,
      (lane, point) -> {
        lane.environment().resource().delete();
        lane.environment().resource().remove();
      }),

  // ---- Kubernetes, Flink and people who do it themselves ----
  JOB_MANAGER_DIES(Kind.EVENT, (lane, point) -> lane.environment().killJobManager()),
  JOB_FAILS_OVER(Kind.EVENT, (lane, point) -> lane.environment().failOver()),
  JOB_FAILS(Kind.EVENT, (lane, point) -> lane.environment().failJob()),
  JOB_FINISHES(Kind.EVENT, (lane, point) -> lane.environment().finishJob()),
  JOB_CANCELLED_BY_HAND(Kind.EVENT, (lane, point) -> lane.environment().cancelJobByHand()),
  DEPLOYMENT_DELETED_BY_HAND(
      Kind.EVENT, (lane, point) -> lane.environment().deleteDeploymentByHand()),
  /** The FlinkDeployment of the session cluster, which is made again when somebody looks at it. */
  SESSION_CLUSTER_DELETED(Kind.EVENT, (lane, point) -> lane.environment().deleteSessionCluster()),
  /** Its upgrade waits until the job is suspended, and replaces it then. */
  SESSION_CLUSTER_LEAVES(
      Kind.EVENT, (lane, point) -> lane.environment().sessionClusterLeaves(Leaving.REPLACED)),
  /** The same, and it is aborted once the job is suspended: the cluster stays. */
  SESSION_CLUSTER_LEAVES_IN_VAIN(
      Kind.EVENT,
      (lane, point) -> lane.environment().sessionClusterLeaves(Leaving.ABORTED_ONCE_SUSPENDED)),
  /** The same, and it is aborted soon, whatever the job does. */
  SESSION_CLUSTER_LEAVES_BRIEFLY(
      Kind.EVENT, (lane, point) -> lane.environment().sessionClusterLeaves(Leaving.ABORTED_SOON)),
  JOB_MANAGER_FALLS_SILENT(Kind.EVENT, (lane, point) -> lane.environment().silenceJobManager()),
  METADATA_DELETED_BY_HAND(
      Kind.EVENT,
      EnumSet.of(Moment.BEFORE, Moment.DURING),
      (lane, point) -> lane.environment().loseMetadata()),
  CHECKPOINT(Kind.EVENT, (lane, point) -> lane.environment().checkpoint()),
  SAVEPOINT_BY_HAND(Kind.EVENT, (lane, point) -> lane.environment().savepointByHand()),
  OTHER_JOB_APPEARS(Kind.EVENT, (lane, point) -> lane.environment().otherJob()),
  PODS_STAY(Kind.EVENT, (lane, point) -> lane.environment().podsStuck());

  /** Who does it. */
  enum Kind {
    FAULT,
    REQUEST,
    EVENT
  }

  private static final Set<Act> OF_SESSION_CLUSTERS =
      EnumSet.of(
          SESSION_CLUSTER_DELETED,
          SESSION_CLUSTER_LEAVES,
          SESSION_CLUSTER_LEAVES_IN_VAIN,
          SESSION_CLUSTER_LEAVES_BRIEFLY);

  private final Kind kind;
  private final Set<Moment> moments;
  private final BiConsumer<Lane, Point> action;

  Act(Kind kind, BiConsumer<Lane, Point> action) {
    this(kind, EnumSet.allOf(Moment.class), action);
  }

  Act(Kind kind, Set<Moment> moments, BiConsumer<Lane, Point> action) {
    this.kind = kind;
    this.moments = moments;
    this.action = action;
  }

  Kind kind() {
    return kind;
  }

  /** Whether it has a meaning at that moment. */
  boolean fits(Moment moment) {
    return moments.contains(moment);
  }

  /** Whether it has a meaning for resources of that kind. */
  boolean fits(String kind) {
    return !OF_SESSION_CLUSTERS.contains(this) || kind.equals("FlinkSessionJob");
  }

  /** Whether no job of the resource may be expected to run afterwards. */
  boolean mayEndTheJob() {
    return kind == Kind.EVENT;
  }

  void happen(Lane lane, Point point) {
    lane.environment().note("ACT " + this + " at " + point);
    action.accept(lane, point);
  }

  private static Spec newer(String content) {
    return Spec.of(content, JobShape.HEALTHY);
  }

  private static Spec rescaled(Lane lane) {
    Spec newest = lane.environment().resource().newest();
    boolean adaptive = newest.content().contains(RescaleEffects.ADAPTIVE);
    return adaptive ? RescaleEffects.scaled(newest, 2) : newest;
  }

  private static Spec suspension(Lane lane) {
    boolean available = lane.environment().resource().newest().shape().highAvailability();
    JobShape shape = available ? JobShape.HEALTHY.highlyAvailable() : JobShape.HEALTHY;
    return Spec.of("suspended", shape).asSuspended();
  }
}
