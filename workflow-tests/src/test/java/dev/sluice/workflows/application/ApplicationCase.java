package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One case: a scenario, and one act at one moment of it. */
final class ApplicationCase {

  private static final int OWN_REMEDIES = 5;

  final String name;
  final ApplicationModel model = new ApplicationModel();
  final ApplicationLane lane;
  private final ApplicationScenario scenario;
  private final ApplicationAct act;
  private final int at;
  private final boolean after;
  private final List<String> wrong = new ArrayList<>();
  private boolean acted;
  private int left;

  ApplicationCase(
      WorkflowWorker workers,
      ApplicationScenario scenario,
      int at,
      boolean after,
      ApplicationAct act) {
    this.name = "%s-%d-%s-%s".formatted(scenario.name(), at, after ? "after" : "before", act);
    this.scenario = scenario;
    this.at = at;
    this.after = after;
    this.act = act;
    this.left = act == ApplicationAct.FAIL_LONG ? 20 : 1;
    this.lane =
        new ApplicationLane(workers, model, name.toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** Runs it; what is wrong in the end, compared with how it ends without the act. */
  List<String> run(@Nullable ApplicationModel undisturbed) {
    scenario.setup().accept(model);
    model.script = this::at;
    try {
      untilRest();
      if (scenario.deletes() && model.exists && !model.deleting) {
        lane.delete();
        untilRest();
      }
      verify(undisturbed);
    } catch (AssertionError | RuntimeException failed) {
      Throwable cause = failed;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      wrong(": " + cause);
    }
    return wrong;
  }

  /** Runs it until the run is held for the first time, or is at rest. */
  void untilHeld() {
    scenario.setup().accept(model);
    lane.untilRest();
    lane.looksAnew();
  }

  /** A run that is held is helped: its cause is removed, then it is aborted, then corrected. */
  void untilRest() {
    lane.untilRest();
    for (int i = 0; i < OWN_REMEDIES && lane.isOpen(); i++) {
      model.wasHeld = true;
      lane.looksAnew();
      OperationProgress progress = lane.progress();
      if (progress == null || progress.held() == null || progress.held().message().isBlank()) {
        wrong(": is held, and nobody is told why: " + progress);
        return;
      }
      if (i == 0) {
        heal();
        lane.retry();
      } else if (i == 1) {
        lane.abort();
      } else if (i >= 3
          && model.record.target() != null
          && model.record.target().colour() != null) {
        lane.change(model.newest().valid().tearsDown(model.record.target().hash()));
      } else if (i == 2) {
        lane.change(model.newest().valid().image(20 + i).works(Works.WELL).fallsBack());
      } else {
        lane.change(model.newest().valid().image(20 + i).redeployed(ModelWorld.NAMED));
      }
      boolean unused = lane.untilClosed();
      lane.untilRest();
    }
  }

  private void heal() {
    model.refusedAtFreeze = false;
    model.savepointsFail = false;
    model.neverGone = false;
    model.serviceRefused = false;
    model
        .clusters
        .values()
        .forEach(
            cluster -> {
              cluster.silent = 0;
              cluster.others = 0;
            });
  }

  private void at(int call, String step, boolean isAfter) {
    boolean here = call == at && isAfter == after;
    boolean again = act == ApplicationAct.FAIL_LONG && call >= at && isAfter == after && acted;
    if ((!here && !again) || left-- <= 0) {
      return;
    }
    acted = true;
    if (act.isHarmless() || act == ApplicationAct.FAIL_LONG) {
      fault();
    } else {
      request();
    }
  }

  private void fault() {
    if (lane.fault(act.name())) {
      return;
    }
    switch (act) {
      case RESET_FIRST -> lane.resets(0);
      case RESET_MIDDLE -> lane.resets(1);
      case RESET_LAST -> lane.resets(2);
      default -> throw new IllegalStateException(act.toString());
    }
  }

  private void request() {
    ModelSpec newest = model.newest();
    switch (act) {
      case ABORT -> lane.abort();
      case CANCEL -> {
        model.aborted = true;
        lane.temporal().cancel();
      }
      case RETRY -> {
        model.retryAsked = true;
        lane.temporal().signal(LaneSignals.RETRY);
      }
      case DELETE -> lane.delete();
      case VANISH -> model.exists = false;
      case NEWER -> lane.change(newest.image(10).works(Works.WELL));
      case NEWER_FAILS -> lane.change(newest.image(11).works(Works.FAILS));
      case REVERTED ->
          lane.change(
              model.record.deployed() == null ? newest : model.specOf(model.record.deployed()));
      case INVALID -> lane.change(newest.invalid());
      case SAME_AGAIN -> lane.change(newest);
      case FORCE_ROLLBACK -> lane.change(newest.forcesRollback());
      default -> happens();
    }
  }

  /** Something happens to a version. */
  private void happens() {
    boolean target = act.name().startsWith("TARGET");
    VersionRef version = target ? model.record.target() : model.record.deployed();
    ModelCluster cluster = model.cluster(version);
    if (cluster == null) {
      return;
    }
    switch (act) {
      case DEPLOYED_REMOVED, TARGET_REMOVED -> model.removed(version);
      case DEPLOYED_SILENT, TARGET_SILENT -> cluster.silent = 5;
      case DEPLOYED_FORGETS, TARGET_FORGETS -> model.restarted(cluster);
      case DEPLOYED_LOSES_TASK_MANAGERS, TARGET_LOSES_TASK_MANAGERS -> cluster.losesTaskManagers();
      case DEPLOYED_LOSES_JOB_MANAGER, TARGET_LOSES_JOB_MANAGER -> model.losesJobManager(cluster);
      case DEPLOYED_ORPHANED, TARGET_ORPHANED -> cluster.orphaned = true;
      default ->
          cluster.jobs.values().stream()
              .filter(ModelJob::isLive)
              .forEach(job -> job.state = FlinkJobState.FAILED);
    }
  }

  private void wrong(String what) {
    wrong.add(
        "%s%s; %s; %s; %s; \"%s\"; %s"
            .formatted(
                name,
                what,
                model.record,
                model.clusters.values(),
                model.operation(),
                model.lastMessage(),
                model.steps));
  }

  private void verify(@Nullable ApplicationModel undisturbed) {
    model.violations.forEach(it -> wrong.add(name + ": " + it));
    if (!model.exists) {
      if (model.deleting
          && act != ApplicationAct.VANISH
          && !model.neverGone
          && !model.clusters.isEmpty()) {
        wrong(": clusters are left");
      }
      return;
    }
    if (model.deleting) {
      wrong(": the resource is never deleted");
      return;
    }
    if (lane.isOpen()) {
      wrong(": neither ends nor can be helped");
      return;
    }
    verifyRest();
    if (undisturbed != null) {
      verifyAsked(undisturbed);
    }
  }

  private void verifyRest() {
    ApplicationRecord record = model.record;
    if (!record.isSettled() || model.isOperationOpen()) {
      wrong(": rests in the middle");
    }
    boolean both = record.phase() == ApplicationPhase.DUAL_RUNNING;
    if (both != (record.target() != null)) {
      wrong(": phase and versions do not agree");
    }
    if (record.start() != null || record.savepoint() != null) {
      wrong(": something is left in the status");
    }
    verifyVersion(record.deployed());
    verifyVersion(record.target());
    long versions = both ? 2 : record.deployed() == null ? 0 : 1;
    versions -= Stream.of(record.deployed(), record.target()).filter(this::isGoneForGood).count();
    if (model.clusters.size() != versions) {
      wrong(": a version is left behind, or gone");
    }
    if (record.phase() == ApplicationPhase.RUNNING && record.hashes().failed() != null) {
      wrong(": runs and has failed");
    }
  }

  private void verifyVersion(@Nullable VersionRef version) {
    if (version == null) {
      return;
    }
    ModelCluster cluster = model.cluster(version);
    ModelJob job = cluster == null ? ended(version) : jobOf(version, cluster);
    boolean ends =
        act == ApplicationAct.DEPLOYED_FAILS
            || act == ApplicationAct.TARGET_FAILS
            || act == ApplicationAct.DEPLOYED_SILENT
            || act == ApplicationAct.TARGET_SILENT
            || scenario.name().contains("fails")
            || scenario.name().contains("failed");
    boolean runs = job != null && (job.isLive() && job.up || job.state == FlinkJobState.FINISHED);
    if (!runs && !(ends && job != null && job.state == FlinkJobState.FAILED)) {
      wrong(": a version does not run");
    }
    if (!ModelCluster.key(version).equals(model.served.get(ModelWorld.service(version)))) {
      wrong(": the Service points elsewhere: " + model.served);
    }
  }

  /** Of one that was taken over it may not be known yet which it is. */
  /** One that has ended stays what it is when Flink forgets it. */
  private @Nullable ModelJob jobOf(VersionRef version, ModelCluster cluster) {
    if (version.jobId() == null && version.adopted() && cluster.jobs.size() == 1) {
      return cluster.jobs.values().iterator().next();
    }
    ModelJob ended = ended(version);
    return ended == null ? cluster.jobs.get(String.valueOf(version.jobId())) : ended;
  }

  private @Nullable ModelJob ended(@Nullable VersionRef version) {
    ModelJob job = model.job(version);
    return job == null || job.state == FlinkJobState.RUNNING ? null : job;
  }

  /** Nobody makes the cluster of a job again that has ended. */
  private boolean isGoneForGood(@Nullable VersionRef version) {
    return ended(version) != null && model.cluster(version) == null;
  }

  private void verifyAsked(ApplicationModel undisturbed) {
    boolean pending =
        model.record.phase() == ApplicationPhase.DUAL_RUNNING
            || act == ApplicationAct.INVALID
            || model.wasHeld;
    if (model.record.settledGeneration() != model.generation && !pending) {
      wrong(": the newest spec is neither reached nor given up");
    }
    if (act.isHarmless() && model.wasHeld && !undisturbed.wasHeld) {
      wrong(": is held");
    }
    // what a person does for one that is held may come at another moment
    if (act.isHarmless() && !model.wasHeld && !outcome(model).equals(outcome(undisturbed))) {
      wrong(": ends as %s and not as %s".formatted(outcome(model), outcome(undisturbed)));
    }
    boolean well = act == ApplicationAct.NEWER && acted && !pending;
    if (well && !model.newest().fullHash().equals(deployedHash()) && !isOff()) {
      wrong(": the newest spec was not reached");
    }
    if (act == ApplicationAct.REVERTED
        && acted
        && !pending
        && !isOff()
        && model.record.deployed() != null
        && !model.newest().fullHash().equals(deployedHash())) {
      wrong(": was not reverted");
    }
  }

  /** What the scenario breaks makes every deployment fail. */
  private boolean isOff() {
    return model.newest().requests().forceRollback()
        || (model.savepointsFail
            && (!model.checkpointsKept || model.newest().mode().wire().equals("BlueGreen")));
  }

  private @Nullable String deployedHash() {
    return model.record.deployed() == null ? null : model.record.deployed().fullHash();
  }

  private static String outcome(ApplicationModel model) {
    ApplicationRecord record = model.record;
    return "%s, settled %d, deployed %s, target %s, failed %s, torn down %s, %s"
        .formatted(
            record.phase(),
            record.settledGeneration(),
            record.deployed() == null ? null : record.deployed().hash(),
            record.target() == null ? null : record.target().hash(),
            record.hashes().failed(),
            record.hashes().tornDown(),
            record.phase() == ApplicationPhase.DEPLOY_FAILED
                ? Optional.empty()
                : Optional.ofNullable(model.operation()));
  }
}
