package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.ModelSpec.Works;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a case begins with, and what it asks for.
 *
 * @param setup of the model
 * @param deletes whether the resource is deleted at the end
 */
record ApplicationScenario(String name, Consumer<ApplicationModel> setup, boolean deletes) {

  static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  static List<ApplicationScenario> all() {
    return List.of(
        of("first", model -> {}),
        first("first-cluster-never", Works.CLUSTER_NEVER),
        first("first-refused", Works.REFUSED),
        first("first-fails", Works.FAILS),
        first("first-finishes", Works.FINISHES),
        of("first-named", ApplicationScenario::firstNamed),
        next("dual", NEXT),
        next("dual-cluster-never", NEXT.works(Works.CLUSTER_NEVER)),
        next("dual-refused", NEXT.works(Works.REFUSED)),
        next("dual-fails", NEXT.works(Works.FAILS)),
        next("dual-never-up", NEXT.works(Works.NEVER_UP)),
        next("dual-crashes", NEXT.works(Works.CRASHES)),
        next("dual-never-told", NEXT.works(Works.NEVER_TOLD)),
        next("dual-other-jobs", NEXT, model -> cluster(model).others = 2),
        next("dual-finishes", NEXT.works(Works.FINISHES)),
        next("dual-disabled", NEXT.disablesSavepoints()),
        next("dual-disabled-fails", NEXT.disablesSavepoints().works(Works.FAILS)),
        next("dual-redeploy", NEXT.redeployed(ModelWorld.NAMED)),
        next("dual-redeploy-fails", NEXT.redeployed(ModelWorld.NAMED).works(Works.FAILS)),
        next("dual-redeploy-lost", NEXT.redeployed(ModelWorld.NAMED), it -> cluster(it).forgets()),
        next("dual-force-rollback", NEXT.forcesRollback()),
        next("dual-down", NEXT.parallelism(1).scalesInPlace()),
        next("dual-savepoint-fails", NEXT, model -> model.savepointsFail = true),
        next("dual-nothing-kept", NEXT, ApplicationScenario::nothingKept),
        next("dual-fallback", NEXT.fallsBack(), ApplicationScenario::nothingKept),
        next("dual-job-lost", NEXT, model -> cluster(model).forgets()),
        next("dual-job-failed", NEXT, model -> job(model).state = FlinkJobState.FAILED),
        next("dual-job-finished", NEXT, ApplicationScenario::finished),
        next("dual-silent", NEXT, model -> cluster(model).silent = 4),
        next("dual-removed", NEXT, model -> model.removed(model.record.deployed())),
        next("dual-too-old", NEXT, ApplicationScenario::tooOld),
        next("dual-stop-lost", NEXT, model -> model.stopIsLost = true),
        next("dual-stop-lost-unreadable", NEXT, ApplicationScenario::stopLostUnreadable),
        next("dual-refused-at-freeze", NEXT, model -> model.refusedAtFreeze = true),
        next("dual-service-refused", NEXT, model -> model.serviceRefused = true),
        of("first-service-refused", model -> model.serviceRefused = true),
        of("dual-failed-before", model -> failedBefore(model, NEXT)),
        of("dual-failed-before-reverted", model -> failedBefore(model, ModelSpec.FIRST)),
        of("dual-failed-before-another", model -> failedBefore(model, NEXT.image(3))),
        of("adopted", ApplicationScenario::adopted),
        of("adopted-unknown", model -> adoptedUnknown(model, ModelSpec.FIRST)),
        of("adopted-unknown-next", model -> adoptedUnknown(model, NEXT)),
        of("adopted-unknown-disabled", it -> adoptedUnknown(it, NEXT.disablesSavepoints())),
        next("in-place", ModelSpec.FIRST.parallelism(4).scalesInPlace()),
        next("in-place-fails", scaled(Works.FAILS)),
        next("in-place-refused", scaled(Works.REFUSED)),
        next("in-place-never", scaled(Works.CLUSTER_NEVER)),
        of("bg-first", model -> model.change(ModelSpec.FIRST.blueGreen())),
        beside("bg", NEXT.blueGreen()),
        beside("bg-fails", NEXT.blueGreen().works(Works.FAILS)),
        beside("bg-cluster-never", NEXT.blueGreen().works(Works.CLUSTER_NEVER)),
        beside("bg-promotes", NEXT.blueGreen().promotes()),
        of("bg-savepoint-fails", ApplicationScenario::besideSavepointFails),
        of("bg-promotion-fails", ApplicationScenario::promotionFails),
        of("bg-tear-down-old", model -> both(model, NEXT.tearsDown(ModelSpec.FIRST.hash()))),
        of("bg-tear-down-others", ApplicationScenario::tearsDownWithOthers),
        of("bg-tear-down-new", model -> both(model, NEXT.tearsDown(NEXT.hash()))),
        of("bg-tear-down-pending", model -> both(model, NEXT.image(3).tearsDown(NEXT.hash()))),
        of("bg-pending", model -> both(model, NEXT.image(3))),
        of("bg-old-lost", ApplicationScenario::oldLost),
        of("bg-new-lost", ApplicationScenario::newLost),
        of("bg-new-lost-refused", ApplicationScenario::newLostAndRefused),
        of("recover", model -> lost(model, false)),
        of("recover-removed", model -> lost(model, true)),
        of("finished-and-forgotten", ApplicationScenario::finishedAndForgotten),
        of("recover-available", ApplicationScenario::lostWithHighAvailability),
        of("recover-other-jobs", ApplicationScenario::lostWithOthers),
        of("recover-task-managers", ApplicationScenario::withoutTaskManagers),
        next("dual-available", NEXT, model -> model.highAvailability = true),
        next("dual-available-fails", NEXT.works(Works.FAILS), it -> it.highAvailability = true),
        next("dual-available-removed", NEXT, ApplicationScenario::removedWithHighAvailability),
        next("dual-task-managers", NEXT, model -> cluster(model).losesTaskManagers()),
        of("recover-after-failure", ApplicationScenario::lostAfterFailure),
        of("recover-nothing", ApplicationScenario::lostForGood),
        of("recover-limit", ApplicationScenario::lostTooOften),
        deleted("deleted", DeleteMode.SAVEPOINT, model -> {}),
        deleted("deleted-savepoint-fails", DeleteMode.SAVEPOINT, it -> it.savepointsFail = true),
        deleted("deleted-silent", DeleteMode.SAVEPOINT, it -> cluster(it).silent = 500),
        deleted("deleted-force", DeleteMode.FORCE_CANCEL, model -> {}),
        deleted("deleted-none", DeleteMode.NONE, model -> {}),
        deleted("deleted-never-gone", DeleteMode.SAVEPOINT, it -> it.neverGone = true),
        deleted("deleted-while-lost", DeleteMode.SAVEPOINT, it -> deleting(it).forgets()),
        deleted("deleted-while-silent", DeleteMode.SAVEPOINT, it -> deleting(it).silent = 500),
        new ApplicationScenario("deleted-both", model -> both(model, NEXT), true),
        new ApplicationScenario(
            "deleted-both-force",
            model -> both(model, NEXT.deletes(DeleteMode.FORCE_CANCEL)),
            true),
        new ApplicationScenario(
            "deleted-before-adoption", ApplicationScenario::deletedBeforeAdoption, true),
        new ApplicationScenario(
            "deleted-after-lyfts-cluster", ApplicationScenario::deletedAfterLyftsCluster, true));
  }

  static ApplicationScenario named(String name) {
    return all().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  static ApplicationScenario of(String name, Consumer<ApplicationModel> setup) {
    return new ApplicationScenario(name, setup, false);
  }

  private static ApplicationScenario first(String name, Works works) {
    return of(name, model -> model.change(ModelSpec.FIRST.works(works)));
  }

  private static ApplicationScenario next(String name, ModelSpec spec) {
    return next(name, spec, model -> {});
  }

  private static ApplicationScenario next(
      String name, ModelSpec spec, Consumer<ApplicationModel> before) {
    return of(
        name,
        model -> {
          model.deployed();
          before.accept(model);
          model.change(spec);
        });
  }

  private static ApplicationScenario beside(String name, ModelSpec spec) {
    return of(
        name,
        model -> {
          green(model);
          model.change(spec);
        });
  }

  private static ApplicationScenario deleted(
      String name, DeleteMode mode, Consumer<ApplicationModel> before) {
    return new ApplicationScenario(
        name,
        model -> {
          model.specs.put(1L, ModelSpec.FIRST.deletes(mode));
          model.deployed();
          before.accept(model);
        },
        true);
  }

  private static ModelSpec scaled(Works works) {
    return ModelSpec.FIRST.parallelism(4).scalesInPlace().works(works);
  }

  private static void green(ApplicationModel model) {
    model.specs.put(1L, ModelSpec.FIRST.blueGreen());
    model.deployed();
  }

  private static ModelCluster cluster(ApplicationModel model) {
    return Objects.requireNonNull(model.cluster(model.record.deployed()));
  }

  private static ModelJob job(ApplicationModel model) {
    return Objects.requireNonNull(model.job(model.record.deployed()));
  }

  private static void firstNamed(ApplicationModel model) {
    model.change(
        ModelSpec.FIRST.with(
            new ApplicationSeen.StatePolicy(false, false, 1, ModelWorld.NAMED, null)));
  }

  private static void nothingKept(ApplicationModel model) {
    model.savepointsFail = true;
    model.checkpointsKept = false;
  }

  private static void finished(ApplicationModel model) {
    job(model).state = FlinkJobState.FINISHED;
  }

  private static void stopLostUnreadable(ApplicationModel model) {
    model.stopIsLost = true;
    model.savepointsReadable = false;
  }

  private static void tooOld(ApplicationModel model) {
    model.tooOld = true;
    cluster(model).forgets();
  }

  private static void failedBefore(ApplicationModel model, ModelSpec now) {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    model.record =
        model
            .record
            .in(ApplicationPhase.DEPLOY_FAILED)
            .with(new Hashes(NEXT.hash(), null, null))
            .settled(model.generation);
    model.change(now);
  }

  static void adopted(ApplicationModel model) {
    model.deployed();
    VersionRef ours = Objects.requireNonNull(model.record.deployed());
    VersionRef old =
        new VersionRef("0a1b2c3d", ours.fullHash(), "app-0a1b2c3d", null, 1, null, true);
    model.clusters.clear();
    model.allJobs.clear();
    ModelJob job = model.running(old, "b".repeat(32), 100);
    model.record = ApplicationRecord.NONE;
    model.served.put("app", ModelCluster.key(old));
    model.lyft = new LyftLeft("Running", "0a1b2c3d", job.id, true);
  }

  private static ModelCluster deleting(ApplicationModel model) {
    model.deleting = true;
    return cluster(model);
  }

  private static void deletedBeforeAdoption(ApplicationModel model) {
    adopted(model);
    model.deleting = true;
  }

  private static void deletedAfterLyftsCluster(ApplicationModel model) {
    deletedBeforeAdoption(model);
    model.clusters.clear();
    model.lyft = new LyftLeft("Running", "0a1b2c3d", "b".repeat(32), false);
  }

  /** Lyft's operator has left no word of the job, and it is taken over. */
  static void adoptedUnknown(ApplicationModel model, ModelSpec now) {
    adopted(model);
    VersionRef old = model.clusters.values().iterator().next().madeFor;
    model.lyft = null;
    model.record = ApplicationRecord.NONE.in(ApplicationPhase.RUNNING).with(old, null).settled(1);
    if (!now.equals(ModelSpec.FIRST)) {
      model.change(now);
    }
  }

  private static void besideSavepointFails(ApplicationModel model) {
    green(model);
    model.savepointsFail = true;
    model.change(NEXT.blueGreen());
  }

  private static void promotionFails(ApplicationModel model) {
    green(model);
    model.promotionFails = true;
    model.change(NEXT.blueGreen().promotes());
  }

  /** Both run since long; then the spec changes. */
  private static void both(ApplicationModel model, ModelSpec now) {
    green(model);
    model.change(NEXT.blueGreen());
    VersionRef blue = ModelWorld.version(NEXT, 2, Colour.BLUE);
    ModelJob job = model.running(blue, "c".repeat(32), 120);
    model.served.put(ModelWorld.service(blue), ModelCluster.key(blue));
    model.record =
        model
            .record
            .in(ApplicationPhase.DUAL_RUNNING)
            .with(model.record.deployed(), blue.running(job.id))
            .settled(2);
    if (!now.equals(NEXT)) {
      model.change(now.blueGreen());
    }
  }

  /** Two versions of Lyft's operator run, and which job the newer one has is not known. */
  static void bothAdopted(ApplicationModel model) {
    both(model, NEXT);
    VersionRef old = Objects.requireNonNull(model.record.deployed());
    VersionRef newer = Objects.requireNonNull(model.record.target());
    model.record = model.record.with(adopted(old), adopted(newer).running(null));
  }

  private static VersionRef adopted(VersionRef it) {
    return new VersionRef(
        it.hash(), it.fullHash(), it.cluster(), it.colour(), it.generation(), it.jobId(), true);
  }

  private static void oldLost(ApplicationModel model) {
    both(model, NEXT);
    cluster(model).forgets();
  }

  static void newLost(ApplicationModel model) {
    both(model, NEXT);
    Objects.requireNonNull(model.cluster(model.record.target())).forgets();
  }

  private static void newLostAndRefused(ApplicationModel model) {
    newLost(model);
    model.specs.put(2L, NEXT.blueGreen().works(Works.REFUSED));
  }

  private static void lost(ApplicationModel model, boolean removed) {
    model.deployed();
    if (removed) {
      model.removed(model.record.deployed());
    } else {
      cluster(model).forgets();
    }
  }

  static void finishedAndForgotten(ApplicationModel model) {
    model.deployed();
    finished(model);
    cluster(model).forgets();
  }

  private static void lostWithOthers(ApplicationModel model) {
    lost(model, false);
    cluster(model).others = 1;
  }

  private static void tearsDownWithOthers(ApplicationModel model) {
    both(model, NEXT.tearsDown(ModelSpec.FIRST.hash()));
    cluster(model).others = 1;
  }

  static void lostWithHighAvailability(ApplicationModel model) {
    model.deployed();
    removedWithHighAvailability(model);
  }

  private static void removedWithHighAvailability(ApplicationModel model) {
    model.highAvailability = true;
    model.removed(model.record.deployed());
  }

  static void withoutTaskManagers(ApplicationModel model) {
    model.deployed();
    cluster(model).losesTaskManagers();
  }

  private static void lostAfterFailure(ApplicationModel model) {
    failedBefore(model, NEXT.works(Works.FAILS));
    model.record = model.record.settled(model.generation);
    cluster(model).forgets();
  }

  static void lostForGood(ApplicationModel model) {
    lost(model, false);
    model.checkpointsKept = false;
  }

  private static void lostTooOften(ApplicationModel model) {
    lost(model, false);
    model.record = model.record.with(new Recoveries(10, Long.MAX_VALUE / 2));
  }
}
