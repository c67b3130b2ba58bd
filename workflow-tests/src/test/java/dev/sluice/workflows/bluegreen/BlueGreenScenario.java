package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ModelSpec.Options;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a case begins with, and what it asks for.
 *
 * @param setup of the model
 * @param deletes whether the resource is deleted at the end
 */
record BlueGreenScenario(String name, Consumer<BlueGreenModel> setup, boolean deletes) {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private static final Options CUT = Options.USUAL.exactlyOnce();

  static List<BlueGreenScenario> all() {
    return List.of(
        of("first", model -> {}),
        of("first-fails", model -> model.change(ModelSpec.FIRST.works(Works.FAILS))),
        of("first-suspended", model -> model.change(ModelSpec.FIRST.running(false))),
        next("transition", NEXT),
        next("gated", NEXT.with(Options.USUAL.asGated())),
        next("delayed", NEXT.with(Options.USUAL.delayed())),
        next("stateless", NEXT.with(Options.USUAL.asStateless())),
        next("redeployed", ModelSpec.FIRST.redeployed()),
        next("finishes", NEXT.works(Works.FINISHES)),
        next("fails", NEXT.works(Works.FAILS)),
        next("fails-deleted", NEXT.works(Works.FAILS).with(Options.USUAL.deleting())),
        next("never-up", NEXT.works(Works.NEVER)),
        next("not-through-gates", gated(Works.NOT_THROUGH_GATES)),
        next("fails-at-gates", gated(Works.FAILS_AT_GATES)),
        next("suspend", ModelSpec.FIRST.running(false)),
        next("suspend-and-change", NEXT.running(false)),
        next("suspend-and-redeploy", ModelSpec.FIRST.redeployed().running(false)),
        next("patch", ModelSpec.FIRST.patched()),
        next("patch-fails", ModelSpec.FIRST.patched().works(Works.FAILS)),
        of("resume", model -> suspended(model, ModelSpec.FIRST)),
        of("resume-and-change", model -> suspended(model, NEXT)),
        of("resume-never-ran", BlueGreenScenario::neverRan),
        of("live-finished", BlueGreenScenario::finished),
        of("live-restarts", model -> restarting(model, 3)),
        of("live-held", BlueGreenScenario::held),
        of("live-lost", BlueGreenScenario::lost),
        of("savepoint-fails", BlueGreenScenario::savepointFails),
        of("refused-at-begin", BlueGreenScenario::refused),
        of("left-behind", BlueGreenScenario::leftBehind),
        of("beside", BlueGreenScenario::beside),
        of("second", BlueGreenScenario::second),
        of("cut-first", model -> model.change(ModelSpec.FIRST.with(CUT))),
        cut("cut", NEXT.with(CUT)),
        next("cut-from-application", NEXT.with(CUT)),
        cut("cut-off", NEXT),
        cut("cut-gated", NEXT.with(CUT.asGated())),
        cut("cut-delayed", NEXT.with(CUT.delayed())),
        cut("cut-stateless", NEXT.with(CUT.asStateless())),
        cut("cut-redeployed", ModelSpec.FIRST.redeployed().with(CUT)),
        cut("cut-finishes", NEXT.works(Works.FINISHES).with(CUT)),
        cut("cut-fails", NEXT.works(Works.FAILS).with(CUT)),
        cut("cut-never-up", NEXT.works(Works.NEVER).with(CUT)),
        cut("cut-not-through-gates", NEXT.works(Works.NOT_THROUGH_GATES).with(CUT.asGated())),
        cut("cut-suspend", ModelSpec.FIRST.running(false).with(CUT)),
        cut("cut-suspend-and-redeploy", ModelSpec.FIRST.redeployed().running(false).with(CUT)),
        cut("cut-patch", ModelSpec.FIRST.patched().with(CUT)),
        of("cut-resume-and-change", model -> suspended(model, NEXT.with(CUT))),
        of(
            "cut-savepoint-fails",
            model -> {
              savepointFails(model);
              model.change(NEXT.with(CUT));
            }),
        of(
            "live-held-cut",
            model -> {
              held(model);
              model.change(NEXT.with(CUT));
            }),
        new BlueGreenScenario("deleted", BlueGreenModel::deployed, true),
        new BlueGreenScenario("deleted-never-gone", BlueGreenScenario::neverGone, true));
  }

  static BlueGreenScenario of(String name, Consumer<BlueGreenModel> setup) {
    return new BlueGreenScenario(name, setup, false);
  }

  private static BlueGreenScenario next(String name, ModelSpec spec) {
    return of(
        name,
        model -> {
          model.deployed();
          model.change(spec);
        });
  }

  /** The live child is a session cluster with a job. */
  private static BlueGreenScenario cut(String name, ModelSpec spec) {
    return of(
        name,
        model -> {
          model.deployed();
          live(model).session = true;
          model.change(spec);
        });
  }

  private static ModelSpec gated(Works how) {
    return NEXT.works(how).with(Options.USUAL.asGated());
  }

  private static void suspended(BlueGreenModel model, ModelSpec next) {
    model.change(ModelSpec.FIRST.running(false));
    model.deployed();
    model.change(next);
  }

  private static void neverRan(BlueGreenModel model) {
    suspended(model, NEXT);
    live(model).records = 0;
  }

  private static void finished(BlueGreenModel model) {
    model.change(ModelSpec.FIRST.works(Works.FINISHES));
    model.deployed();
    model.change(NEXT);
  }

  private static void restarting(BlueGreenModel model, int looks) {
    model.deployed();
    live(model).busy = looks;
    model.change(NEXT);
  }

  private static void held(BlueGreenModel model) {
    model.deployed();
    live(model).broken = new Phase.Held("its image cannot be pulled");
    model.change(NEXT);
  }

  private static void lost(BlueGreenModel model) {
    model.deployed();
    model.children.clear();
    model.change(NEXT);
  }

  private static void savepointFails(BlueGreenModel model) {
    model.deployed();
    model.savepointFails = "the directory refuses";
    model.change(NEXT);
  }

  private static void refused(BlueGreenModel model) {
    model.deployed();
    model.begunInvalid = "spec.template.spec.image: refused by the API server";
    model.change(NEXT);
  }

  /** A transition was given up before. */
  private static void leftBehind(BlueGreenModel model) {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    ModelChild left = model.child(Color.GREEN, model.newest(), "savepoint-of-old", 7);
    left.suspend();
    model.children.put(Color.GREEN, left);
    model.standing = new BlueGreenStanding(Color.BLUE, null, 1, model.generation);
    model.change(NEXT.image(3));
  }

  /** A child that is not live runs, though no transition goes on. */
  private static void beside(BlueGreenModel model) {
    model.deployed();
    model.children.put(Color.GREEN, model.child(Color.GREEN, NEXT, "savepoint-of-old", 7));
    model.change(ModelSpec.FIRST.patched());
  }

  /** Green is live since long, and blue was before. */
  private static void second(BlueGreenModel model) {
    model.deployed();
    model.change(NEXT.with(Options.USUAL.delayed()));
    model.children.clear();
    ModelChild green = model.child(Color.GREEN, model.newest(), "savepoint-of-old", 200);
    model.children.put(Color.GREEN, green);
    model.live.add(green.uid);
    model.reachedSpec = model.newest();
    model.standing = new BlueGreenStanding(Color.GREEN, null, model.generation, 0);
    model.change(model.newest().image(3));
  }

  private static void neverGone(BlueGreenModel model) {
    model.deployed();
    model.neverGone = true;
  }

  private static ModelChild live(BlueGreenModel model) {
    return Objects.requireNonNull(model.liveChild());
  }
}
