package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.LaneModel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One FlinkApplication, its clusters, their jobs, and the storage. */
abstract class ModelWorld extends LaneModel {

  static final String NAMED = "sp-named";

  final Map<Long, ModelSpec> specs = new HashMap<>();
  final Map<String, ModelCluster> clusters = new LinkedHashMap<>();
  final Map<String, Long> storage = new HashMap<>();
  final Map<String, ModelJob> allJobs = new LinkedHashMap<>();
  final Map<String, String> served = new HashMap<>();

  /** The jobs that come back with their cluster. */
  final Map<String, List<ModelJob>> metadata = new HashMap<>();

  ApplicationRecord record = ApplicationRecord.NONE;
  @Nullable LyftLeft lyft;
  boolean wasHeld;
  boolean savepointsFail;

  /** The next stop is carried out, and nobody is left who knows of it. */
  boolean stopIsLost;

  boolean savepointsReadable = true;
  boolean checkpointsKept = true;

  /** What is known of the state of a lost job contradicts itself. */
  boolean contradictory;

  boolean refusedAtFreeze;
  boolean neverGone;
  boolean tooOld;
  boolean promotionFails;
  boolean serviceRefused;
  boolean highAvailability;
  boolean aborted;

  ModelWorld() {
    specs.put(generation, ModelSpec.FIRST);
    storage.put(NAMED, 1000L);
  }

  ModelSpec newest() {
    return Objects.requireNonNull(specs.get(generation));
  }

  ModelSpec specOf(VersionRef version) {
    return Objects.requireNonNull(specs.get(version.generation()));
  }

  /** A person changes the spec. */
  void change(ModelSpec next) {
    generation++;
    specs.put(generation, next);
  }

  /** Generation 1 runs since long. */
  void deployed() {
    VersionRef version =
        version(newest(), generation, newest().mode().wire().equals("Dual") ? null : Colour.GREEN);
    ModelJob job = running(version, "a".repeat(32), 100);
    record =
        ApplicationRecord.NONE
            .in(ApplicationPhase.RUNNING)
            .with(version.running(job.id), null)
            .settled(generation);
    served.put(service(version), ModelCluster.key(version));
  }

  /** A cluster of that version, with its job. */
  ModelJob running(VersionRef version, String id, long records) {
    ModelSpec spec = specOf(version);
    ModelCluster cluster = new ModelCluster(version, spec.parallelism());
    cluster.starting = 0;
    clusters.put(ModelCluster.key(version), cluster);
    ModelJob job =
        new ModelJob(id, ModelCluster.key(version), new StateRef.Empty("first"), spec, storage);
    job.up = true;
    job.seenUp = true;
    job.records = records;
    job.proceeds();
    cluster.jobs.put(id, job);
    allJobs.put(id, job);
    return job;
  }

  static VersionRef version(ModelSpec spec, long generation, @Nullable Colour colour) {
    return new VersionRef(
        spec.hash(), spec.fullHash(), "app-" + spec.hash(), colour, generation, null, false);
  }

  static String service(VersionRef version) {
    return version.colour() == null ? "app" : "app-" + version.colour().wire();
  }

  @Nullable ModelCluster cluster(@Nullable VersionRef version) {
    return version == null ? null : clusters.get(ModelCluster.key(version));
  }

  /** Null where it has no JobManager, too. */
  @Nullable ModelCluster withJobManager(@Nullable VersionRef version) {
    ModelCluster cluster = cluster(version);
    boolean none = cluster == null || !cluster.hasJobManager || cluster.terminating || cluster.down;
    return none ? null : cluster;
  }

  @Nullable ModelJob job(@Nullable VersionRef version) {
    return version == null || version.jobId() == null ? null : allJobs.get(version.jobId());
  }

  List<ModelJob> live() {
    return allJobs.values().stream().filter(ModelJob::isLive).toList();
  }

  @Override
  protected void checkAlways() {
    allJobs.values().forEach(ModelJob::proceeds);
    long most = newest().mode().wire().equals("Dual") ? 1 : 2;
    check(live().size() <= most, "never two live jobs: " + live());
    check(
        live().stream().map(job -> job.cluster).distinct().count() == live().size(),
        "never two live jobs on one cluster: " + live());
  }

  // ------------------------------------------------------------------ what is seen

  ApplicationSeen seen() {
    ModelSpec spec =
        newest().problem() == null
            ? newest()
            : record.target() != null
                ? specOf(record.target())
                : record.deployed() != null ? specOf(record.deployed()) : newest();
    return new ApplicationSeen(
        generation,
        deleting,
        newest().problem(),
        spec.wanted(
            record.deployed() == null ? null : specOf(record.deployed()), record.redeployNonce()),
        record,
        seen(record.deployed()),
        seen(record.target()),
        leftovers(),
        VersionLimits.DEFAULT,
        record.deployed() == null ? lyft : null);
  }

  private List<VersionRef> leftovers() {
    return clusters.values().stream()
        .map(cluster -> cluster.madeFor)
        .filter(it -> cluster(record.deployed()) != clusters.get(ModelCluster.key(it)))
        .filter(it -> cluster(record.target()) != clusters.get(ModelCluster.key(it)))
        .toList();
  }

  private @Nullable VersionSeen seen(@Nullable VersionRef version) {
    if (version == null) {
      return null;
    }
    return new VersionSeen(
        version,
        state(version),
        null,
        observed(version),
        others(version),
        ModelCluster.key(version).equals(served.get(service(version))),
        highAvailability);
  }

  private List<String> others(VersionRef version) {
    ModelCluster cluster = withJobManager(version);
    return cluster == null || cluster.silent > 0 || cluster.starting > 0
        ? List.of()
        : Stream.concat(
                cluster.jobs.values().stream().filter(ModelJob::isLive).map(job -> job.id),
                IntStream.range(0, cluster.others).mapToObj("other-%d"::formatted))
            .filter(id -> !id.equals(version.jobId()))
            .toList();
  }

  Cluster state(VersionRef version) {
    ModelCluster cluster = cluster(version);
    if (cluster != null && cluster.down) {
      return Cluster.SILENT;
    }
    cluster = withJobManager(version);
    if (cluster == null) {
      return Cluster.MISSING;
    }
    if (!cluster.hasTaskManagers || cluster.orphaned) {
      return Cluster.INCOMPLETE;
    }
    if (cluster.silent > 0) {
      return Cluster.SILENT;
    }
    boolean has = cluster.parallelism >= specOf(version).parallelism();
    return cluster.starting > 0 || !has || specOf(version).works() == Works.CLUSTER_NEVER
        ? Cluster.STARTING
        : Cluster.READY;
  }

  private JobObservation observed(VersionRef version) {
    ModelCluster cluster = withJobManager(version);
    String id = version.jobId();
    if (id == null) {
      return cluster != null
              && (cluster.silent > 0 || cluster.starting > 0 || !cluster.late.isEmpty())
          ? new JobObservation.Unreachable("no JobManager", null)
          : new JobObservation.NeverStarted("none is recorded");
    }
    ModelJob ended = allJobs.get(id);
    if (ended != null && ended.state != FlinkJobState.RUNNING) {
      return new JobObservation.Ended(id, ended.state, ended.left(), true);
    }
    if (cluster == null || cluster.silent > 0 || cluster.starting > 0) {
      return new JobObservation.Unreachable("no JobManager", id);
    }
    ModelJob job = cluster.jobs.get(id);
    if (job == null) {
      return new JobObservation.Absent(id);
    }
    return job.isLive()
        ? new JobObservation.Alive(
            id,
            FlinkJobState.RUNNING,
            new Tasks(job.up ? 2 : 1, 0, 2),
            job.left(),
            true,
            checkpointsKept ? Retention.RETAINED : Retention.DELETED,
            600_000,
            Times.UNKNOWN)
        : new JobObservation.Ended(id, job.state, job.left(), true);
  }

  // ------------------------------------------------------------------ what is recorded

  /** What is recorded to be started from is the newest state of the job that is given up for it. */
  void checkState(ApplicationRecord before, ApplicationRecord next) {
    Start start = next.start();
    if (start == null || (before.start() != null && start.state().equals(before.start().state()))) {
      return;
    }
    ModelJob from = start.takenFrom() == null ? null : allJobs.get(start.takenFrom());
    if (from == null) {
      check(
          next.deployed() == null || next.deployed().jobId() == null,
          "what is started is taken from the job before");
      return;
    }
    boolean beside =
        next.deployed() != null && next.target() != null && next.target().colour() != null;
    check(beside || !from.isLive(), "the job has ended when its state is recorded");
    boolean named =
        NAMED.equals(start.state().pathOrNull()) && specs.values().stream().anyMatch(this::isNamed);
    if (start.left() != null) {
      check(named, "only what is named takes the place of what the job has left");
      checkNewest(next, from, start.left(), false);
    } else if (!named) {
      checkNewest(next, from, start.state(), beside);
    }
  }

  private void checkNewest(ApplicationRecord next, ModelJob from, StateRef state, boolean beside) {
    boolean without =
        mayLoseState(newest())
            || mayLoseState(specs.getOrDefault(generation - 1, newest()))
            || (next.target() != null && mayLoseState(specOf(next.target())));
    Long records = state.pathOrNull() == null ? null : storage.get(state.pathOrNull());
    if (state instanceof StateRef.Empty) {
      boolean named = isNamed(newest());
      check(
          without || named || from.state == FlinkJobState.FINISHED || from.newest == null,
          "no state is lost");
      return;
    }
    check(records != null, "what is recorded exists: " + state);
    Long newest = from.newest == null ? null : storage.get(from.newest);
    boolean same =
        records != null && (records.equals(newest) || (beside && records + 5 >= from.records));
    check(same || from.isLive(), "no state is rewound: %s of %s".formatted(state, from));
  }

  private boolean isNamed(ModelSpec spec) {
    return spec.nonce() > 0 || spec.state().named() != null;
  }

  private static boolean mayLoseState(ModelSpec spec) {
    return spec.state().savepointDisabled() || spec.state().fallbackWithoutState();
  }
}
