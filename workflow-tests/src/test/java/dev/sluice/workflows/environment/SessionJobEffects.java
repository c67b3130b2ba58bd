package dev.sluice.workflows.environment;

import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Starts and ends the job as the contract of {@link SessionJobActivities} says. */
public final class SessionJobEffects implements SessionJobActivities {

  private final Environment environment;
  private final Moments moments;

  public SessionJobEffects(Environment environment, Moments moments) {
    this.environment = environment;
    this.moments = moments;
  }

  private HostModel host() {
    return Objects.requireNonNull(environment.host(), "not a job on a session cluster");
  }

  @Override
  public void startJob(StartJobRequest request) {
    synchronized (environment) {
      Spec unused = mayStart(request);
    }
    moments.during("waiting");
    boolean ready = environment.await(moments, () -> host().takesJobs() || knowsJob());
    synchronized (environment) {
      Spec frozen = mayStart(request);
      if (!ready) {
        throw Failures.permanent(FailureType.CLUSTER_NOT_READY, "the session cluster is away");
      }
      if (HostModel.job(environment.ownDeployment()) != null) {
        return;
      }
      note(request, frozen);
    }
    moments.during("submission noted");
    synchronized (environment) {
      run(request);
    }
  }

  @Override
  public void checkJar(CheckJarRequest request) {
    moments.during("fetching");
    synchronized (environment) {
      environment.callApiServer(true);
      Spec frozen = environment.resource().frozen();
      if (frozen == null || frozen.generation() != request.generation()) {
        throw Failures.permanent(FailureType.OUTDATED, "another generation is frozen");
      }
      if (frozen.shape().start() == Start.REFUSED && !environment.healed()) {
        throw Failures.permanent(FailureType.REFUSED, "the jar cannot be fetched: 404");
      }
    }
  }

  /** The answer of an earlier attempt was lost: the cluster may wait for that job. */
  private boolean knowsJob() {
    return host().answers() && HostModel.job(environment.ownDeployment()) != null;
  }

  private void note(StartJobRequest request, Spec frozen) {
    String uid = request.resource().uid();
    String jobId = request.job().jobId();
    if (environment.ownDeployment() == null) {
      environment
          .invariants()
          .creates(
              new CreateClusterRequest(
                  request.resource(), request.job(), request.generation(), request.restoreFrom()));
      environment.kubernetes().configure(uid, jobId);
      Deployment noted = environment.kubernetes().create(uid, frozen, jobId, request.restoreFrom());
      host().notes(Objects.requireNonNull(noted.process()));
      environment.note("submission of job " + jobId + " noted");
    }
  }

  /** The note is not looked at again: Flink may be asked right before it is taken back. */
  private void run(StartJobRequest request) {
    Deployment noted = environment.ownDeployment();
    if (noted == null || !noted.jobId().equals(request.job().jobId())) {
      throw Failures.permanent(FailureType.OUTDATED, "the job was ended meanwhile");
    }
    JobManagerProcess life = Objects.requireNonNull(noted.process());
    if (!host().takesJobs() || life.isInMetadata()) {
      throw Failures.permanent(
          FailureType.CLUSTER_NOT_READY, "whether the session cluster has taken it is not known");
    }
    String path = request.restoreFrom().pathOrNull();
    boolean unreadable =
        path != null && !environment.storage().has(environment.storage().find(path));
    if (noted.spec().shape().start() == Start.CRASHES || unreadable) {
      throw Failures.permanent(FailureType.JOB_FAILED, "Flink refuses the program");
    }
    if (life.job() == null) {
      life.accept();
    }
  }

  private Spec mayStart(StartJobRequest request) {
    environment.callApiServer(true);
    if (environment.resource().deleting()) {
      throw Failures.permanent(FailureType.OUTDATED, "the resource is being deleted");
    }
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
    Deployment noted = environment.ownDeployment();
    if (noted != null && !noted.jobId().equals(request.job().jobId())) {
      throw Failures.permanent(
          FailureType.OUTDATED, "job " + noted.jobId() + " is noted, and was not ended");
    }
    if (frozen.shape().start() == Start.REFUSED && !environment.healed()) {
      throw Failures.permanent(FailureType.REFUSED, "the jar cannot be fetched: 404");
    }
    return frozen;
  }

  @Override
  public void endJob(EndJobRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      if (environment.ownDeployment() == null) {
        return;
      }
      mustBeNoted(request);
    }
    boolean told = environment.await(moments, () -> host().cluster().isMissing() || isSettled());
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment noted = environment.ownDeployment();
      if (noted == null) {
        return;
      }
      mustBeNoted(request);
      if (!told) {
        throw Failures.permanent(FailureType.CLUSTER_NOT_GONE, "the session cluster is silent");
      }
      mustStillBe(request.onlyWhile());
      environment.invariants().deletes(noted, null);
      FlinkJob job = HostModel.job(noted);
      if (job != null && job.live()) {
        job.cancel();
        Objects.requireNonNull(noted.process()).keepMetadata();
        environment.note("cancelled " + job.jobId);
      }
    }
    moments.during("cancelled");
    synchronized (environment) {
      environment.callApiServer(true);
      Deployment noted = environment.ownDeployment();
      if (noted == null) {
        return;
      }
      mustBeNoted(request);
      FlinkJob job = HostModel.job(noted);
      JobManagerProcess life = noted.process();
      if ((job != null && job.live()) || (job == null && life != null && life.isInMetadata())) {
        throw Failures.passing(FailureType.CLUSTER_NOT_GONE, "the job is there again");
      }
      environment.kubernetes().deleteDeployment();
      environment.note("submission of job " + request.job().jobId() + " removed");
    }
  }

  /** Flink answers, and it does not bring the job back first. */
  private boolean isSettled() {
    Deployment noted = environment.ownDeployment();
    JobManagerProcess life = noted == null ? null : noted.process();
    return host().answers() && (life == null || life.job() != null || !life.isInMetadata());
  }

  private void mustBeNoted(EndJobRequest request) {
    Deployment noted = environment.ownDeployment();
    if (noted != null && !noted.jobId().equals(request.job().jobId())) {
      throw Failures.permanent(FailureType.OUTDATED, "job " + noted.jobId() + " is noted");
    }
  }

  private void mustStillBe(@Nullable Evidence wanted) {
    Evidence now = environment.observation().cluster().evidence();
    if (wanted != null && !wanted.equals(now)) {
      throw Failures.permanent(FailureType.OUTDATED, "the job is " + now + ", not " + wanted);
    }
  }
}
