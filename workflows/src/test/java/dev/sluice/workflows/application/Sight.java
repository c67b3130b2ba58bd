package dev.sluice.workflows.application;

import static dev.sluice.api.application.ApplicationPhase.DUAL_RUNNING;
import static dev.sluice.api.application.ApplicationPhase.RUNNING;
import static dev.sluice.api.application.ApplicationPhase.SUBMITTING_JOB;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.ApplicationSeen.ParallelismChange;
import dev.sluice.workflows.application.ApplicationSeen.Requests;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.application.ApplicationSeen.Wanted;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is seen of an application, and what was asked of the run; generation 2 is the newest. */
final class Sight implements Cloneable {

  private static final String OLD_JOB = "old-job";
  private static final String NEW_JOB = "new-job";
  private static final StateRef STATE = new StateRef.Savepoint("s3://savepoint");

  private ApplicationRecord record = ApplicationRecord.NONE;
  private String newest = "new";
  private @Nullable String problem;
  private @Nullable ParallelismChange parallelism;
  private StatePolicy state = new StatePolicy(false, false, 3_600_000, null, null);
  private Requests requests = new Requests(false, null, null);
  private Cluster cluster = Cluster.READY;
  private Cluster targetCluster = Cluster.READY;
  private JobObservation job = alive(OLD_JOB);
  private JobObservation targetJob = new JobObservation.Absent(NEW_JOB);
  private @Nullable LyftLeft lyft;
  private List<VersionRef> leftovers = List.of();
  private boolean again;
  private boolean comesBack;
  private List<String> others = List.of();
  private List<String> targetOthers = List.of();
  private boolean patient;
  private boolean stuck;
  private @Nullable String givesUp;
  private @Nullable String savepointFailed;
  private @Nullable String down;
  private @Nullable String submitted;
  private @Nullable String verified;

  static Sight none() {
    return new Sight();
  }

  static Sight deployed() {
    Sight sight = new Sight();
    sight.record = ApplicationRecord.NONE.in(RUNNING).with(version("old", null), null).settled(1);
    return sight;
  }

  static Sight green() {
    Sight sight = new Sight();
    sight.record =
        ApplicationRecord.NONE.in(RUNNING).with(version("old", Colour.GREEN), null).settled(1);
    return sight;
  }

  private static VersionRef version(String hash, @Nullable Colour colour) {
    return new VersionRef(
        hash, hash + "-full", "app-" + hash, colour, 1, hash.equals("old") ? OLD_JOB : null, false);
  }

  private static JobObservation alive(String id) {
    return new JobObservation.Alive(
        id,
        FlinkJobState.RUNNING,
        new Tasks(2, 0, 2),
        STATE,
        true,
        Retention.RETAINED,
        600_000,
        Times.UNKNOWN);
  }

  ApplicationDecision decide() {
    VersionRef deployed = record.deployed();
    VersionRef target = record.target();
    Wanted wanted =
        new Wanted(
            newest + "-full",
            DeploymentMode.DUAL,
            DeleteMode.SAVEPOINT,
            parallelism,
            parallelism != null,
            state,
            requests);
    ApplicationSeen seen =
        new ApplicationSeen(
            2,
            false,
            problem,
            wanted,
            record,
            deployed == null
                ? null
                : new VersionSeen(deployed, cluster, null, job, others, true, comesBack),
            target == null
                ? null
                : new VersionSeen(
                    target, targetCluster, null, targetJob, targetOthers, false, comesBack),
            leftovers,
            VersionLimits.DEFAULT,
            lyft);
    ApplicationAsked asked =
        new ApplicationAsked(
            again, givesUp, patient, savepointFailed, down, submitted, verified, false, stuck);
    return new ApplicationPlanner().decide(seen, asked, 1000);
  }

  private Sight with(Consumer<Sight> change) {
    try {
      Sight copy = (Sight) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  Sight newest(String hash) {
    return with(it -> it.newest = hash);
  }

  Sight in(ApplicationPhase phase) {
    return with(it -> it.record = it.record.in(phase));
  }

  Sight failed(String hash) {
    return with(it -> it.record = it.record.with(new Hashes(hash, null, null)));
  }

  Sight settled(long generation) {
    return with(it -> it.record = it.record.settled(generation));
  }

  Sight leaving(String hash) {
    return with(it -> it.record = it.record.leaving(version(hash, null)));
  }

  Sight target(String hash) {
    return with(it -> it.record = it.record.with(it.record.deployed(), version(hash, null)));
  }

  Sight inPlace() {
    return with(
        it ->
            it.record =
                it.record.with(
                    it.record.deployed(),
                    new VersionRef("new", "new-full", "app-old", null, 2, null, false)));
  }

  /** A second version runs beside the first. */
  Sight blue() {
    return with(it ->
            it.record =
                it.record
                    .in(DUAL_RUNNING)
                    .with(it.record.deployed(), version("new", Colour.BLUE).running(NEW_JOB)))
        .targetUp();
  }

  /** It is of Lyft's operator, and its job is not known. */
  Sight targetAdopted() {
    return with(
        it -> {
          VersionRef target = Objects.requireNonNull(it.record.target());
          it.record =
              it.record.with(
                  it.record.deployed(),
                  new VersionRef(
                      target.hash(),
                      target.fullHash(),
                      target.cluster(),
                      target.colour(),
                      target.generation(),
                      null,
                      true));
          it.targetJob = new JobObservation.Unreachable("no answer", null);
        });
  }

  Sight alone() {
    return with(it -> it.record = it.record.with(it.record.deployed(), null));
  }

  /** The job of the target is recorded to be started. */
  Sight started() {
    return with(
        it -> {
          VersionRef target = it.record.target();
          it.record =
              it.record
                  .with(it.record.deployed(), target == null ? null : target.running(NEW_JOB))
                  .starting(new Start(STATE, OLD_JOB, NEW_JOB));
        });
  }

  /** The job of the target was lost, and another one is recorded to be started in its place. */
  Sight startedAgain() {
    return with(
        it -> {
          VersionRef target = Objects.requireNonNull(it.record.target());
          it.record =
              it.record
                  .in(SUBMITTING_JOB)
                  .with(it.record.deployed(), target.running("another-job"))
                  .starting(new Start(STATE, NEW_JOB, "another-job"));
          it.targetJob = new JobObservation.Absent("another-job");
        });
  }

  /** The state waits for the next version. */
  Sight waits() {
    return with(it -> it.record = it.record.starting(new Start(STATE, OLD_JOB, null)));
  }

  Sight triggered() {
    return with(it -> it.record = it.record.taking(new Trigger("trigger", OLD_JOB, 1, true)));
  }

  Sight recovered(int times) {
    return with(it -> it.record = it.record.with(new Recoveries(times, 500)));
  }

  Sight invalid() {
    return with(it -> it.problem = "spec.image: is missing").newestIsTarget();
  }

  private Sight newestIsTarget() {
    return with(it -> it.newest = it.record.target() == null ? "old" : "new");
  }

  Sight scaled(int from, int to) {
    return with(it -> it.parallelism = new ParallelismChange(from, to));
  }

  Sight forced() {
    return with(it -> it.requests = new Requests(true, null, null));
  }

  Sight tearsDown(String hash) {
    return with(it -> it.requests = new Requests(false, hash, null));
  }

  Sight disabled() {
    return with(it -> it.state = new StatePolicy(true, false, 3_600_000, null, null));
  }

  Sight redeploys() {
    return with(it -> it.state = new StatePolicy(false, false, 3_600_000, "s3://named", 1L));
  }

  Sight cluster(Cluster now) {
    return with(it -> it.cluster = now);
  }

  Sight targetCluster(Cluster now) {
    return with(it -> it.targetCluster = now);
  }

  Sight jobFailed() {
    return with(
        it -> it.job = new JobObservation.Ended(OLD_JOB, FlinkJobState.FAILED, STATE, true));
  }

  Sight jobFinished() {
    return with(
        it -> it.job = new JobObservation.Ended(OLD_JOB, FlinkJobState.FINISHED, STATE, true));
  }

  Sight jobAlive() {
    return with(it -> it.job = alive(OLD_JOB));
  }

  Sight jobAbsent() {
    return with(it -> it.job = new JobObservation.Absent(OLD_JOB));
  }

  Sight jobUnreachable() {
    return with(
        it -> {
          it.job = new JobObservation.Unreachable("no answer", OLD_JOB);
          it.cluster = Cluster.SILENT;
        });
  }

  Sight targetFailed() {
    return with(
        it -> it.targetJob = new JobObservation.Ended(NEW_JOB, FlinkJobState.FAILED, STATE, true));
  }

  Sight targetUp() {
    return with(it -> it.targetJob = alive(NEW_JOB));
  }

  Sight failed(String hash, String fullHash) {
    return with(it -> it.record = it.record.with(new Hashes(hash, null, null, fullHash)));
  }

  /** Jobs that nobody knows are on the cluster of the deployed version. */
  Sight others(String... ids) {
    return with(it -> it.others = List.of(ids));
  }

  Sight targetOthers(String... ids) {
    return with(it -> it.targetOthers = List.of(ids));
  }

  /** Lyft's operator has deployed something, whose cluster is gone. */
  Sight lyftGone() {
    return with(it -> it.lyft = new LyftLeft("Running", "0a1b2c3d", null, false));
  }

  /** A cluster of Lyft's operator of which the status says nothing. */
  Sight lyftsLeftover() {
    return with(
        it ->
            it.leftovers =
                List.of(new VersionRef("0a1b2c3d", null, "app-0a1b2c3d", null, 0, null, true)));
  }

  Sight again() {
    return with(it -> it.again = true);
  }

  Sight abort() {
    return with(it -> it.givesUp = "enough");
  }

  Sight patient() {
    return with(it -> it.patient = true);
  }

  Sight savepointFailed() {
    return with(it -> it.savepointFailed = OLD_JOB);
  }

  Sight submitted() {
    return with(it -> it.submitted = NEW_JOB);
  }

  Sight verified() {
    return with(it -> it.verified = NEW_JOB).submitted();
  }

  /** The old job surely does not run. */
  Sight down() {
    return with(it -> it.down = OLD_JOB);
  }

  Sight stuck() {
    return with(it -> it.stuck = true);
  }
}
