package dev.sluice.workflows.environment;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.environment.JobManagerProcess.HaMetadata;
import dev.sluice.workflows.environment.JobManagerProcess.Phase;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/** Makes and deletes the cluster as the contract of {@link ClusterActivities} says. */
public final class ClusterEffects implements ClusterActivities {

  /** In the content of a spec: its TaskManagers are made after its JobManager. */
  public static final String STANDALONE = "standalone";

  /** Words of a spec in reactive mode: its job takes what slots there are. */
  public static final String REACTIVE = STANDALONE + " reactive";

  private final Environment environment;
  private final Moments moments;

  public ClusterEffects(Environment environment, Moments moments) {
    this.environment = environment;
    this.moments = moments;
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment deployment = environment.kubernetes().deployment();
      mustBeOurs(deployment);
      String jobs = SessionModel.outdated(request, environment);
      if (jobs != null) {
        throw Failures.permanent(FailureType.OUTDATED, jobs);
      }
      environment.kubernetes().session.deletionBegins(environment);
      if (deployment != null) {
        if (!request.jobIds().isEmpty() && !request.jobIds().contains(deployment.jobId())) {
          throw outdated(deployment);
        }
        Long generation = request.generation();
        if (generation != null && generation != deployment.generation()) {
          throw outdated(deployment);
        }
        mustStillBe(request.onlyWhile());
        mustHaveCheckpoint(request.keepMetadataOf());
        environment.kubernetes().session.deletes(deployment, request, environment);
        environment.invariants().deletes(deployment, request.keepMetadataOf());
        environment.invariants().leavesMetadataTo(deployment, request.endedJob());
        environment.kubernetes().deleteDeployment();
        environment.effect("delete the cluster of job " + deployment.jobId());
      }
    }
    moments.during("Deployment deleted");
    awaitNoPods();
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment again = environment.kubernetes().deployment();
      if (again != null) {
        throw outdated(again);
      }
      mustHaveCheckpoint(request.keepMetadataOf());
      String late = SessionModel.outdated(request, environment);
      if (late != null) {
        throw Failures.permanent(FailureType.OUTDATED, late);
      }
      if (isGoneOnFrom(request)) {
        environment.kubernetes().metadata.values().forEach(HaMetadata::forgetGraph);
      } else if (request.jobs() != JobsOnCluster.COME_BACK) {
        environment.kubernetes().session.deletesMetadata(environment);
        environment.kubernetes().metadata.clear();
      }
      if (request.everything()) {
        environment.kubernetes().removeConfiguration();
      }
      environment.note("cluster gone");
    }
  }

  @Override
  public HeldDeletion awaitNoJobs(AwaitNoJobsRequest request) {
    moments.during("waiting");
    boolean unused =
        environment.await(
            moments,
            () -> {
              HeldDeletion now = SessionModel.held(environment);
              return now.reason() == null || !now.reason().equals(request.known().reason());
            });
    synchronized (environment) {
      environment.callApiServer(true);
      return SessionModel.held(environment);
    }
  }

  @Override
  public HeldDeletion suspendSessionJobs(SuspendSessionJobsRequest request) {
    environment.invariants().awaitsSessionJobs();
    moments.during("waiting");
    boolean none =
        environment.await(
            moments,
            () -> environment.flink() != null && !environment.kubernetes().session.suspendOne());
    synchronized (environment) {
      environment.callApiServer(true);
      return none
          ? HeldDeletion.NOTHING
          : new HeldDeletion(Reasons.CLUSTER_NOT_READY, "the JobManager does not answer");
    }
  }

  private boolean isGoneOnFrom(DeleteClusterRequest request) {
    RestorePoint recorded = environment.observation().recorded();
    boolean isRecorded = recorded != null && recorded.isSameJob();
    return !request.everything() && (request.keepMetadataOf() != null || isRecorded);
  }

  private void mustHaveCheckpoint(@Nullable String jobId) {
    if (jobId != null && !environment.kubernetes().hasCheckpoint(jobId)) {
      throw Failures.permanent(FailureType.OUTDATED, "no metadata of job " + jobId);
    }
  }

  private void mustStillBe(ClusterObservation.@Nullable Evidence wanted) {
    ClusterObservation.Evidence now = environment.observation().cluster().evidence();
    if (wanted != null && !wanted.equals(now)) {
      throw Failures.permanent(FailureType.OUTDATED, "the cluster is " + now + ", not " + wanted);
    }
  }

  private void awaitNoPods() {
    boolean gone =
        environment.await(
            moments, () -> !environment.arePodsStuck() && environment.kubernetes().pods() == 0);
    if (!gone) {
      throw Failures.permanent(FailureType.CLUSTER_NOT_GONE, "pods are left");
    }
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    Spec frozen;
    synchronized (environment) {
      frozen = mayCreate(request);
      if (isThere(request)) {
        return;
      }
      environment.kubernetes().configure(request.resource().uid(), request.job().jobId());
      environment.note("configuration of job " + request.job().jobId());
    }
    boolean standalone = frozen.content().contains(STANDALONE);
    if (!standalone) {
      moments.during("ConfigMap applied");
    }
    synchronized (environment) {
      frozen = mayCreate(request);
      if (isThere(request)) {
        return;
      }
      if (environment.kubernetes().deployment() == null) {
        environment.invariants().creates(request);
        environment
            .kubernetes()
            .create(request.resource().uid(), frozen, request.job().jobId(), request.restoreFrom());
        environment.effect(
            "create the cluster of generation %d for job %s from %s"
                .formatted(
                    frozen.generation(), request.job().jobId(), Trace.of(request.restoreFrom())));
      }
      if (isThere(request)) {
        return;
      }
    }
    moments.during("JobManager created");
    synchronized (environment) {
      environment.callApiServer(true);
      environment.kubernetes().taskManagers(true);
      environment.note("TaskManagers of job " + request.job().jobId());
    }
  }

  private boolean isThere(CreateClusterRequest request) {
    Deployment deployment = environment.kubernetes().deployment();
    return deployment != null
        && deployment.jobId().equals(request.job().jobId())
        && environment.kubernetes().hasTaskManagers();
  }

  private Spec mayCreate(CreateClusterRequest request) {
    environment.callApiServer(true);
    Spec frozen = environment.resource().frozen();
    if (frozen == null || frozen.generation() != request.generation()) {
      throw Failures.permanent(FailureType.OUTDATED, "another generation is frozen");
    }
    RestorePoint recorded = environment.resource().recorded();
    if (environment.resource().phase() == Observation.Phase.IDLE
        || recorded == null
        || !recorded.startedJob().equals(request.job().jobId())) {
      throw Failures.permanent(FailureType.OUTDATED, "another job is recorded to be started");
    }
    Deployment deployment = environment.kubernetes().deployment();
    mustBeOurs(deployment);
    if (deployment != null
        && !(deployment.jobId().equals(request.job().jobId())
            && deployment.generation() == request.generation())) {
      throw outdated(deployment);
    }
    boolean there = deployment != null;
    if (recorded.isSameJob() != request.restoreFrom() instanceof StateRef.HaMetadata) {
      throw Failures.permanent(FailureType.OUTDATED, "another state is recorded");
    }
    if (recorded.isSameJob() && !there) {
      mustHaveCheckpoint(request.job().jobId());
    }
    if (frozen.shape().start() == Start.REFUSED && !environment.healed()) {
      throw Failures.passing(FailureType.REFUSED, "exceeded quota: compute");
    }
    return frozen;
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    moments.during("waiting");
    boolean came =
        environment.await(
            moments,
            () -> {
              Deployment own = environment.ownDeployment();
              if (own != null && !own.jobId().equals(request.job().jobId())) {
                throw outdated(own);
              }
              return environment.flink() != null;
            });
    if (came) {
      return;
    }
    synchronized (environment) {
      Deployment own = environment.ownDeployment();
      JobManagerProcess process = own == null ? null : own.process();
      Phase phase = process == null ? null : process.phase();
      if (phase == Phase.PENDING) {
        throw Failures.permanent(FailureType.IMAGE_PULL_FAILED, "ImagePullBackOff");
      }
      throw phase == Phase.CRASHED
          ? Failures.permanent(FailureType.POD_FAILED, "CrashLoopBackOff")
          : Failures.permanent(FailureType.CLUSTER_NOT_READY, "the JobManager does not answer");
    }
  }

  private void mustBeOurs(@Nullable Deployment deployment) {
    if (deployment != null && !deployment.ownerUid().equals(environment.resource().ref().uid())) {
      throw Failures.permanent(FailureType.NAME_TAKEN, "the Deployment belongs to somebody else");
    }
  }

  private static RuntimeException outdated(Deployment deployment) {
    return Failures.permanent(
        FailureType.OUTDATED,
        "the Deployment is of generation %d, job %s"
            .formatted(deployment.generation(), deployment.jobId()));
  }
}
