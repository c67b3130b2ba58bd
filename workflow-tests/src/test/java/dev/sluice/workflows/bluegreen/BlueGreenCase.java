package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One case: a scenario, and one act at one moment of it. */
final class BlueGreenCase {

  private static final String CHOSEN = "s3://chosen";
  private static final int OWN_REMEDIES = 4;

  final String name;
  final BlueGreenModel model = new BlueGreenModel();
  final BlueGreenLane lane;
  private final BlueGreenScenario scenario;
  private final BlueGreenAct act;
  private final int at;
  private final boolean after;
  private final List<String> wrong = new ArrayList<>();
  private @Nullable String liveBefore;
  private @Nullable ModelSpec specBefore;
  private boolean wasHeld;
  private boolean acted;
  private final int point;
  private int left;

  BlueGreenCase(
      WorkflowWorker workers, BlueGreenScenario scenario, int at, boolean after, BlueGreenAct act) {
    this(workers, scenario, at, after, act, 0);
  }

  private BlueGreenCase(
      WorkflowWorker workers,
      BlueGreenScenario scenario,
      int at,
      boolean after,
      BlueGreenAct act,
      int point) {
    this.point = point;
    this.name =
        "%s-%d-%s-%s%s"
            .formatted(
                scenario.name(),
                at,
                after ? "after" : "before",
                act,
                act == BlueGreenAct.RESET ? "-" + point : "");
    this.scenario = scenario;
    this.at = at;
    this.after = after;
    this.act = act;
    this.left = act == BlueGreenAct.FAIL_LONG ? 20 : 1;
    this.lane = new BlueGreenLane(workers, model, name.toLowerCase(Locale.ROOT));
  }

  /** The run is reset after that call, or after its end, to the step of that number. */
  static BlueGreenCase reset(
      WorkflowWorker workers, BlueGreenScenario scenario, int at, int point) {
    return new BlueGreenCase(workers, scenario, at, true, BlueGreenAct.RESET, point);
  }

  /** Runs it; what is wrong in the end, compared with how it ends without the act. */
  List<String> run(@Nullable BlueGreenModel undisturbed) {
    scenario.setup().accept(model);
    liveBefore = model.liveChild() == null ? null : model.liveChild().uid;
    specBefore = model.reachedSpec;
    model.script = this::at;
    try {
      untilRest();
      if (act == BlueGreenAct.RESET && !acted && !lane.isOpen()) {
        reset();
        untilRest();
      }
      if (scenario.deletes() && model.exists && !model.deleting) {
        lane.delete();
        untilRest();
      }
      verify(undisturbed);
    } catch (AssertionError | RuntimeException failed) {
      wrong.add(name + ": " + failed.toString().replace('\n', ' '));
    }
    return wrong;
  }

  /** A run that is held is helped: by a choice where it offers one, by an abort otherwise. */
  void untilRest() {
    lane.untilRest();
    for (int i = 0; i < OWN_REMEDIES && lane.isHeld(); i++) {
      wasHeld = true;
      lane.temporal().settle();
      OperationProgress progress = lane.progress();
      if (progress == null || !isTold(progress)) {
        wrong(": is held, and nobody is told why: " + progress);
        return;
      }
      if (progress.held() != null && progress.held().offersRestoreFrom() && i == 0) {
        model.restoreFrom = CHOSEN;
        lane.retry();
      } else {
        lane.abort();
      }
      boolean unused = lane.untilClosed();
      lane.untilRest();
    }
  }

  private boolean isTold(OperationProgress progress) {
    if (progress.held() != null) {
      return !progress.held().message().isBlank();
    }
    // it waits, or its look at the children is what fails
    return lane.isWaiting()
        ? model.lastMessage().startsWith("Waiting")
        : act == BlueGreenAct.FAIL_LONG && !model.lastMessage().isBlank();
  }

  private void at(int call, String step, boolean isAfter) {
    boolean here = call == at && isAfter == after;
    boolean again = act == BlueGreenAct.FAIL_LONG && call >= at && isAfter == after && acted;
    if ((!here && !again) || left-- <= 0) {
      return;
    }
    acted = true;
    lane.looksAnew();
    if (act.isHarmless() || act == BlueGreenAct.FAIL_LONG) {
      fault();
    } else {
      request();
    }
  }

  private void fault() {
    if (!lane.fault(act.name())) {
      reset();
    }
  }

  private void reset() {
    String run = lane.temporal().runId();
    if (run.isEmpty()) {
      return;
    }
    List<Long> points = lane.temporal().resetPoints(run);
    if (point < points.size()) {
      model.surprised = true;
      lane.temporal().reset(run, points.get(point), true);
    }
  }

  private void request() {
    switch (act) {
      case ABORT -> lane.abort();
      case CANCEL -> lane.temporal().cancel();
      case RETRY -> {
        model.retryAsked = true;
        lane.temporal().signal(LaneSignals.RETRY);
      }
      case DELETE -> lane.delete();
      case VANISH -> model.exists = false;
      case NEWER -> lane.change(model.newest().image(10).works(Works.WELL).running(true));
      case REVERTED -> lane.change(specBefore == null ? model.newest() : specBefore);
      case SUSPENDED -> lane.change(model.newest().running(false));
      case PATCHED -> lane.change(specBefore == null ? model.newest() : specBefore.patched());
      case CONFIGURED -> lane.change(model.newest().with(model.newest().options().patient()));
      case INVALID -> lane.change(model.newest().invalid());
      case SAME_AGAIN -> lane.change(model.newest());
      default -> child();
    }
  }

  /** Somebody, or something, does that to a child. */
  private void child() {
    model.surprised = true;
    model.meddled = true;
    Color live = model.standing.live();
    if (live == null) {
      return;
    }
    if (act == BlueGreenAct.LIVE_DELETED) {
      model.children.remove(live);
    } else if (act == BlueGreenAct.OTHER_DELETED) {
      model.children.remove(live.other());
    }
    ModelChild one = model.children.get(live);
    ModelChild other = model.children.get(live.other());
    if (act == BlueGreenAct.LIVE_FAILS && one != null) {
      one.broken = new Phase.Failed("its job has failed");
    } else if (act == BlueGreenAct.LIVE_RESTARTS && one != null) {
      one.busy = 3;
    } else if (act == BlueGreenAct.LIVE_RESUMED && one != null && !one.spec.running()) {
      one.resume();
    } else if (act == BlueGreenAct.OTHER_FAILS && other != null) {
      other.broken = new Phase.Failed("its job has failed");
    } else if (act == BlueGreenAct.OTHER_SUSPENDED && other != null) {
      other.suspend();
    }
  }

  private void wrong(String what) {
    wrong.add(name + what + "; " + model.standing + "; " + model.children + "; " + model.steps);
  }

  private void verify(@Nullable BlueGreenModel undisturbed) {
    model.violations.forEach(it -> wrong.add(name + ": " + it));
    if (!model.exists) {
      if (model.deleting && act != BlueGreenAct.VANISH && !model.children.isEmpty()) {
        wrong(": children are left");
      }
      return;
    }
    if (model.deleting) {
      wrong(": the resource is never deleted");
      return;
    }
    verifyRest();
    if (undisturbed != null) {
      verifyAsked(undisturbed);
    }
  }

  private void verifyRest() {
    if (lane.isOpen()) {
      if (!mayStayHeld()) {
        wrong(": neither ends nor is held: " + model.lastMessage());
      }
      return;
    }
    if (model.standing.transition() != null || model.isOperationOpen()) {
      wrong(": rests in the middle: " + model.lastMessage());
    }
    ModelChild live = model.liveChild();
    boolean somebodyDeletes =
        act == BlueGreenAct.LIVE_DELETED || scenario.name().equals("live-lost");
    if (model.standing.live() != null && live == null && !somebodyDeletes) {
      wrong(": nothing is live");
    }
    verifyOther();
    verifyLive(live);
  }

  /** Both children are broken: there is nothing to go back to. */
  private boolean mayStayHeld() {
    return model.children.values().stream().noneMatch(it -> it.phase() instanceof Phase.Ready);
  }

  private void verifyOther() {
    Color live = model.standing.live();
    for (ModelChild child : model.children.values()) {
      boolean over = !child.spec.running() || child.phase() instanceof Phase.Finished;
      if (child.color != live && !over) {
        wrong(": a child that is not live is not stopped");
      }
    }
  }

  private void verifyLive(@Nullable ModelChild live) {
    if (live == null || model.meddled) {
      return;
    }
    boolean notItsOwn = scenario.name().startsWith("live-") && live.uid.equals(liveBefore);
    if (model.standing.reached() == model.generation
        && !notItsOwn
        && (!live.spec.sameAs(model.newest()) || !live.stands())) {
      wrong(": reached, and does not stand");
    }
    ModelSpec reached = Objects.requireNonNull(model.reachedSpec, name);
    boolean inPlace = live.madeFor > model.standing.reached();
    if (model.standing.givenUp() == model.generation && !inPlace) {
      if (live.spec.image() != reached.image() || live.spec.nonce() != reached.nonce()) {
        wrong(": given up, and the live child is not as before");
      }
      if (reached.running() && !live.spec.running()) {
        wrong(": given up, and the live job is left stopped");
      }
    }
    boolean never = model.live.size() == 1 && liveBefore != null;
    if (never && !live.uid.equals(liveBefore)) {
      wrong(": the live child is another one");
    }
  }

  private void verifyAsked(BlueGreenModel undisturbed) {
    BlueGreenStanding standing = model.standing;
    boolean settled =
        standing.reached() == model.generation || standing.givenUp() == model.generation;
    if (!settled && !wasHeld && act != BlueGreenAct.INVALID) {
      wrong(": the newest spec is neither reached nor given up");
    }
    // a run that is terminated after it was helped has lost that; one that was reset is held again,
    // and the grace period may be over then
    boolean lost = act == BlueGreenAct.TERMINATE && wasHeld;
    if (act == BlueGreenAct.RESET) {
      lost = wasHeld || model.lastMessage().contains("The grace period");
    }
    if (act.isHarmless() && !lost && !outcome(model).equals(outcome(undisturbed))) {
      wrong(": ends as %s and not as %s".formatted(outcome(model), outcome(undisturbed)));
    }
    boolean asksForMore =
        act == BlueGreenAct.NEWER
            || act == BlueGreenAct.SUSPENDED
            || act == BlueGreenAct.REVERTED
            || act == BlueGreenAct.CONFIGURED
            || act == BlueGreenAct.SAME_AGAIN;
    boolean wants = model.newest().works() == Works.WELL && model.savepointFails == null;
    if (asksForMore && wants && model.begunInvalid == null && !wasHeld) {
      if (standing.reached() != model.generation) {
        wrong(": the newest spec was not reached");
      }
    }
    if (act == BlueGreenAct.ABORT && acted) {
      verifyAbort(undisturbed);
    }
    if (!wasHeld && act != BlueGreenAct.RETRY && model.live.size() > undisturbed.live.size() + 2) {
      wrong(": was switched more often than asked: " + model.live);
    }
  }

  /** One that comes before the new child is live has the old one stay. */
  private void verifyAbort(BlueGreenModel undisturbed) {
    int switched = undisturbed.steps.indexOf("SwitchLive") + 1;
    int ends = undisturbed.steps.lastIndexOf("EndTransition") + 1;
    boolean early = switched > 0 ? at < switched : at < ends;
    if (early && model.standing.givenUp() != model.generation) {
      wrong(": was not given up");
    }
    boolean byItself = undisturbed.operation() == OperationState.FAILED;
    if (early && !byItself && model.operation() != OperationState.ABORTED) {
      wrong(": does not say that it was aborted: " + model.operation());
    }
  }

  private String outcome(BlueGreenModel model) {
    // what is written once more after the end does not know whether somebody wanted it
    boolean succeeded = model.operation() == OperationState.SUCCEEDED;
    return "reached %d, given up %d, live %s, switched %d times, %s"
        .formatted(
            model.standing.reached(),
            model.standing.givenUp(),
            model.standing.live(),
            model.live.size(),
            act == BlueGreenAct.RESET ? succeeded : Optional.ofNullable(model.operation()));
  }
}
