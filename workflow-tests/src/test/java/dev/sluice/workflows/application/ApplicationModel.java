package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The activities on a {@link ModelWorld}, by the rules of {@link ApplicationActivities}: what
 * breaks a rule of the operations is a violation.
 */
final class ApplicationModel extends ModelJobs {

  @Override
  public ApplicationSeen observe(ObserveRequest request) {
    return effect(
        "ObserveApplication",
        () -> {
          if (request.patienceMs() > 0) {
            clusters.values().forEach(ModelCluster::tellsOfAll);
          }
          ApplicationSeen seen = seen();
          clusters.values().forEach(ModelCluster::settles);
          return seen;
        });
  }

  @Override
  public FreezeVersionResult freeze(FreezeVersionRequest request) {
    return effect("FreezeVersion", () -> frozen(request));
  }

  private FreezeVersionResult frozen(FreezeVersionRequest request) {
    VersionRef target = record.target();
    if (!record.equals(request.plannedFor())) {
      if (target != null && target.generation() == request.generation() && target.jobId() == null) {
        return new FreezeVersionResult.Frozen(record, VersionLimits.DEFAULT, "again");
      }
      throw outdated("the status says " + record);
    }
    if (request.generation() != generation) {
      return new FreezeVersionResult.Changed(generation);
    }
    if (refusedAtFreeze || newest().problem() != null) {
      return new FreezeVersionResult.Invalid("spec.image: refused by the API server");
    }
    String failed = record.hashes().failed();
    check(
        failed == null || !newest().fullHash().startsWith(failed) || retryAsked || target != null,
        "a failed spec is not tried again by itself");
    check(
        record.deployed() == null || !newest().fullHash().equals(record.deployed().fullHash()),
        "no two versions of one spec");
    check(
        target == null || cluster(target) == null || ApplicationLook.isInPlace(record),
        "no version is left behind");
    record =
        record
            .with(record.deployed(), frozen(request.kind()))
            .in(
                request.kind() == Kind.IN_PLACE
                    ? ApplicationPhase.RESCALING
                    : ApplicationPhase.UPDATING)
            .starting(record.startFor(newest().redeployNonce()))
            .taking(null);
    reports.add(request.report());
    return new FreezeVersionResult.Frozen(
        record, VersionLimits.DEFAULT, "image " + newest().image());
  }

  private VersionRef frozen(Kind kind) {
    VersionRef deployed = record.deployed();
    check((deployed == null) == (kind == Kind.FIRST), "the first version is the first");
    Colour colour =
        deployed == null
            ? Colour.GREEN
            : deployed.colour() == null ? null : deployed.colour().other();
    VersionRef version =
        version(newest(), generation, newest().mode().wire().equals("Dual") ? null : colour);
    return kind == Kind.IN_PLACE
        ? new VersionRef(
            version.hash(),
            version.fullHash(),
            Objects.requireNonNull(deployed).cluster(),
            null,
            generation,
            null,
            false)
        : version;
  }

  @Override
  public FreezeVersionResult adopt(FreezeVersionRequest request) {
    return effect(
        "AdoptVersion",
        () -> {
          if (record.deployed() == null && lyft != null) {
            VersionRef old = clusters.values().iterator().next().madeFor;
            record =
                record
                    .in(ApplicationPhase.RUNNING)
                    .with(adopted(old).running(lyft.jobId()), null)
                    .settled(generation);
            reports.add(request.report());
          }
          return new FreezeVersionResult.Frozen(record, VersionLimits.DEFAULT, "adopted");
        });
  }

  /** The spec that is there counts as what its cluster was made from. */
  private VersionRef adopted(VersionRef old) {
    return new VersionRef(
        old.hash(), newest().fullHash(), old.cluster(), old.colour(), generation, null, true);
  }

  @Override
  public void create(VersionRequest request) {
    run(
        "CreateVersion",
        () -> {
          requireStanding(request);
          String key = ModelCluster.key(request.version());
          ModelCluster cluster =
              clusters.computeIfAbsent(
                  key,
                  it ->
                      new ModelCluster(request.version(), specOf(request.version()).parallelism()));
          if (!cluster.labelled.equals(String.valueOf(request.version().fullHash()))) {
            throw ApplicationFailure.newNonRetryableFailure(
                "of another version", FailureType.NAME_TAKEN);
          }
          cluster.isWhole();
          comesBack(key);
        });
  }

  private void comesBack(String key) {
    List<ModelJob> jobs = metadata.remove(key);
    if (jobs != null) {
      jobs.forEach(
          job -> {
            job.lost = false;
            Objects.requireNonNull(clusters.get(key)).jobs.put(job.id, job);
          });
    }
  }

  @Override
  public VersionReady awaitCluster(VersionRequest request) {
    return effect(
        "AwaitVersion",
        () -> {
          ModelCluster cluster = withJobManager(request.version());
          if (cluster == null) {
            return new VersionReady.Missing("there is none");
          }
          if (!cluster.hasTaskManagers) {
            return new VersionReady.Missing("its TaskManagers are not there");
          }
          if (cluster.jobs.values().stream().anyMatch(ModelJob::crashes)) {
            return new VersionReady.NotReady("PodFailed", "its JobManager crashes");
          }
          cluster.starting = 0;
          cluster.silent = 0;
          return state(request.version()) == VersionSeen.Cluster.READY
              ? new VersionReady.Ready("ready")
              : new VersionReady.NotReady("ClusterNotReady", "no room");
        });
  }

  @Override
  public void scale(VersionRequest request) {
    run(
        "ScaleVersion",
        () -> {
          requireStanding(request);
          ModelCluster cluster = cluster(request.version());
          if (cluster != null) {
            cluster.parallelism = specOf(request.version()).parallelism();
            cluster.labelled = String.valueOf(request.version().fullHash());
          }
        });
  }

  @Override
  public void record(RecordVersionsRequest request) {
    run(
        "RecordVersions",
        () -> {
          if (!record.equals(request.plannedFor()) && record.equals(request.record())) {
            reports.add(request.report());
            return;
          }
          if (!record.equals(request.plannedFor())) {
            throw outdated("the status says " + record);
          }
          checkState(record, request.record());
          record = request.record();
          reports.add(request.report());
        });
  }

  @Override
  public void cutOver(VersionRequest request) {
    run(
        "CutOver",
        () -> {
          requireStanding(request);
          if (serviceRefused) {
            throw ApplicationFailure.newFailure("the Service is refused", FailureType.REFUSED);
          }
          requireJobManager(request.version());
          served.put(service(request.version()), ModelCluster.key(request.version()));
        });
  }

  @Override
  public PromotionOutcome awaitPromotion(PromotionRequest request) {
    return effect(
        "AwaitPromotion",
        () ->
            promotionFails
                ? new PromotionOutcome.Failed("its job has failed")
                : new PromotionOutcome.Passed("it has proved itself"));
  }

  @Override
  public void delete(DeleteVersionRequest request) {
    run("DeleteVersion", () -> deleted(request.on()));
  }

  private void deleted(VersionRequest request) {
    VersionRef version = request.version();
    ModelCluster cluster = cluster(version);
    if (!deleting) {
      requireStanding(request);
      if (record.deployed() != null && cluster != null && cluster == cluster(record.deployed())) {
        throw outdated("it is the deployed version");
      }
      ModelJob of = job(record.deployed());
      boolean replaced = record.leaving() != null && cluster == cluster(record.leaving());
      check(
          !replaced || of == null || !of.isLive() || of.seenUp,
          "the old cluster goes when the new job is up");
    }
    checkJobGoes(version, cluster);
    if (neverGone) {
      throw ApplicationFailure.newNonRetryableFailure("pods stay", FailureType.CLUSTER_NOT_GONE);
    }
    check(deleting || cluster == null || cluster.others == 0, "no job of others is removed");
    metadata.remove(ModelCluster.key(version));
    if (cluster != null) {
      cluster.forgets();
      clusters.remove(ModelCluster.key(version));
    }
  }

  /** What a job has done that was seen up is kept, unless somebody gives it up. */
  private void checkJobGoes(VersionRef version, @Nullable ModelCluster cluster) {
    ModelJob job = job(version);
    boolean gone = cluster == null || job == null || !job.isLive() || !job.seenUp;
    boolean newest = version.equals(record.target()) && version.colour() == null;
    check(gone || !newest || deleting || gaveUp(), "a job that is up is not removed");
  }

  private boolean gaveUp() {
    return aborted
        || newest().requests().forceRollback()
        || (record.deployed() != null && newest().fullHash().equals(record.deployed().fullHash()));
  }

  @Override
  public void report(OperationReport report) {
    run("ReportApplication", () -> reports.add(report));
  }

  /** The JobManager of that cluster is another process. */
  void restarted(ModelCluster cluster) {
    if (highAvailability) {
      cluster.silent = 2;
    } else {
      cluster.forgets();
    }
  }

  /** Somebody, or something, removes the cluster of that version. */
  void removed(@Nullable VersionRef version) {
    ModelCluster cluster = cluster(version);
    if (cluster != null) {
      losesJobManager(cluster);
      clusters.remove(ModelCluster.key(cluster.madeFor));
    }
  }

  /** Somebody deletes the Deployment of its JobManager. */
  void losesJobManager(ModelCluster cluster) {
    if (highAvailability) {
      metadata.put(
          ModelCluster.key(cluster.madeFor),
          cluster.jobs.values().stream().filter(ModelJob::isLive).toList());
    }
    cluster.losesJobManager();
  }
}
