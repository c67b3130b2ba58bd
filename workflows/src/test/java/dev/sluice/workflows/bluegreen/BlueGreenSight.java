package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Cut;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ChildSeen.Shape;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a planner sees, made from what differs from a live blue child of generation 1. */
final class BlueGreenSight {

  static final long SINCE = 1_000_000;
  static final long GRACE = 600_000;
  static final String SAVEPOINT = "s3://savepoint";
  static final Phase READY = new Phase.Ready("job", 1);
  static final Phase BUSY = new Phase.Busy("its operation is at work");
  static final Phase HELD = new Phase.Held("no image");
  static final Phase FAILED = new Phase.Failed("its job has failed");

  private final Map<Color, ChildSeen> children = new EnumMap<>(Color.class);
  private Change change = Change.TRANSITION;
  private TransitionSettings settings =
      new TransitionSettings(
          false, GRACE, 0, AbortAction.SUSPEND, false, true, CutOver.DUPLICATE, "image 2");
  private @Nullable Color live = Color.BLUE;
  private @Nullable Begun begun;
  private @Nullable String problem;
  private @Nullable String restoreFrom;
  private boolean sameTemplate;
  private long generation = 2;
  private long reached = 1;
  private long givenUp;
  private boolean again;
  private boolean retry;
  private boolean givesUp;
  private boolean patient;
  private @Nullable String gatesPassed;
  private @Nullable Color ingressAt;
  private @Nullable String suspended;
  private long now = SINCE + 1_000;

  /** Nothing is under way. */
  static BlueGreenSight idle(Change change) {
    BlueGreenSight sight = new BlueGreenSight().child(Color.BLUE, 1, null, READY);
    sight.change = change;
    return sight;
  }

  /** Nothing was ever deployed. */
  static BlueGreenSight first() {
    BlueGreenSight sight = new BlueGreenSight();
    sight.change = Change.FIRST;
    sight.live = null;
    sight.reached = 0;
    return sight;
  }

  /** A transition to green, for generation 2, whose savepoint is taken. */
  static BlueGreenSight begun() {
    return idle(Change.TRANSITION).begun(Source.SAVEPOINT, SAVEPOINT, null);
  }

  /** Its child is there. */
  static BlueGreenSight coming(Phase phase) {
    return begun().child(Color.GREEN, 2, SAVEPOINT, phase);
  }

  /** It is live. */
  static BlueGreenSight switched(Phase phase) {
    BlueGreenSight sight = coming(phase).begun(Source.SAVEPOINT, SAVEPOINT, SINCE + 500);
    sight.live = Color.GREEN;
    sight.ingressAt = Color.GREEN;
    return sight;
  }

  BlueGreenSight begun(Source source, @Nullable String savepoint, @Nullable Long switched) {
    begun = new Begun(Color.GREEN, 2, SINCE, source, savepoint, switched);
    return this;
  }

  BlueGreenSight child(Color color, long madeFor, @Nullable String from, Phase phase) {
    children.put(color, new ChildSeen(color, "uid-" + color, true, false, madeFor, from, phase));
    return this;
  }

  /** An exactly-once cut-over to green; blue is a session cluster with a job. */
  static BlueGreenSight cutting(@Nullable String savepoint, @Nullable Long stopping) {
    BlueGreenSight sight = idle(Change.TRANSITION).exactlyOnce();
    sight.begun =
        new Begun(
            Color.GREEN, 2, SINCE, Source.SAVEPOINT, savepoint, null, new Cut(stopping, null));
    return sight.stopping(Color.BLUE, READY, true);
  }

  /** Its live job is told to stop, and its resource was seen to say so. */
  BlueGreenSight suspendedForIt(Source source) {
    begun = new Begun(Color.GREEN, 2, SINCE, source, null, null, new Cut(1L, 1L));
    return this;
  }

  /** It is to be told, and was not seen to be. */
  BlueGreenSight statelessNoted() {
    begun = new Begun(Color.GREEN, 2, SINCE, Source.EMPTY, null, null, new Cut(1L, null));
    return this;
  }

  /** The new job of one is live, and the old one is kept. */
  static BlueGreenSight cutOver(Phase phase) {
    BlueGreenSight sight = cutting(SAVEPOINT, 1L).cluster(SAVEPOINT, phase).delayed();
    sight.begun =
        new Begun(Color.GREEN, 2, SINCE, Source.SAVEPOINT, SAVEPOINT, SINCE + 500, new Cut(1L, 1L));
    sight.live = Color.GREEN;
    sight.ingressAt = Color.GREEN;
    return sight;
  }

  BlueGreenSight exactlyOnce() {
    settings =
        new TransitionSettings(
            false, GRACE, 0, AbortAction.SUSPEND, false, true, CutOver.EXACTLY_ONCE, "image 2");
    return this;
  }

  /** The child that comes, a session cluster; with a job where it says what that starts from. */
  BlueGreenSight cluster(@Nullable String from, Phase phase) {
    children.put(
        Color.GREEN,
        new ChildSeen(
            Color.GREEN,
            "uid-green",
            true,
            false,
            2,
            from,
            phase,
            new Shape.Session(from != null),
            true));
    return this;
  }

  /** A session cluster with a job of generation 1 that is told to run, or not. */
  BlueGreenSight stopping(Color color, Phase phase, boolean toldToRun) {
    children.put(
        color,
        new ChildSeen(
            color,
            "uid-" + color,
            true,
            false,
            1,
            null,
            phase,
            new Shape.Session(true),
            toldToRun));
    return this;
  }

  BlueGreenSight blue(Phase phase) {
    return child(Color.BLUE, 1, null, phase);
  }

  BlueGreenSight without(Color color) {
    children.remove(color);
    return this;
  }

  BlueGreenSight deleting(Color color) {
    ChildSeen child = Objects.requireNonNull(children.get(color));
    children.put(
        color,
        new ChildSeen(
            color,
            child.uid(),
            child.ours(),
            true,
            child.madeFor(),
            child.startsFrom(),
            child.phase()));
    return this;
  }

  BlueGreenSight ofOthers(Color color) {
    children.put(color, new ChildSeen(color, "uid-other", false, false, 0, null, READY));
    return this;
  }

  BlueGreenSight stateless() {
    return settings(true, 0, AbortAction.SUSPEND, false, true);
  }

  BlueGreenSight delayed() {
    return settings(false, 60_000, AbortAction.SUSPEND, false, true);
  }

  BlueGreenSight deletes() {
    return settings(false, 0, AbortAction.DELETE, false, true);
  }

  BlueGreenSight gated() {
    return settings(false, 0, AbortAction.SUSPEND, true, true);
  }

  BlueGreenSight suspends() {
    return settings(false, 0, AbortAction.SUSPEND, false, false);
  }

  private BlueGreenSight settings(
      boolean stateless, long delay, AbortAction onAbort, boolean gated, boolean running) {
    settings =
        new TransitionSettings(
            stateless, GRACE, delay, onAbort, gated, running, settings.cutOver(), "image 2");
    return this;
  }

  BlueGreenSight generation(long newest, Change from) {
    generation = newest;
    change = from;
    return this;
  }

  /** For a child it is what the transition was begun with. */
  BlueGreenSight generationOfSameTemplate(long newest) {
    sameTemplate = true;
    return generation(newest, change);
  }

  BlueGreenSight reached(long which) {
    reached = which;
    return this;
  }

  BlueGreenSight givenUp() {
    givenUp = generation;
    return this;
  }

  BlueGreenSight problem() {
    problem = "spec.template: wrong";
    return this;
  }

  BlueGreenSight again() {
    again = true;
    return this;
  }

  BlueGreenSight choosing(String what) {
    restoreFrom = what;
    retry = true;
    again = true;
    return this;
  }

  BlueGreenSight annotated(String what) {
    restoreFrom = what;
    return this;
  }

  BlueGreenSight aborting() {
    givesUp = true;
    return this;
  }

  BlueGreenSight patient() {
    patient = true;
    return this;
  }

  BlueGreenSight suspended(String uid) {
    suspended = uid;
    return this;
  }

  BlueGreenSight gatesPassed(String uid) {
    gatesPassed = uid;
    return this;
  }

  BlueGreenSight ingressElsewhere() {
    ingressAt = null;
    return this;
  }

  BlueGreenSight backAtBlue() {
    live = Color.BLUE;
    return this;
  }

  BlueGreenSight overdue() {
    now = SINCE + GRACE;
    return this;
  }

  /** What the planner decides, in short. */
  String decision() {
    BlueGreenSeen seen =
        new BlueGreenSeen(
            generation,
            false,
            problem,
            change,
            settings,
            new BlueGreenStanding(live, begun, reached, givenUp),
            children.get(Color.BLUE),
            children.get(Color.GREEN),
            false,
            restoreFrom,
            sameTemplate);
    TransitionAsked asked =
        new TransitionAsked(
            again, retry, givesUp, patient, gatesPassed, ingressAt, false, suspended, false);
    return words(new BlueGreenPlanner().decide("orders", seen, asked, now));
  }

  private static String words(BlueGreenDecision decision) {
    if (decision instanceof BlueGreenDecision.Begin it) {
      return "begin %s %s%s"
          .formatted(it.to(), it.source(), it.known() == null ? "" : " " + it.known());
    }
    if (decision instanceof BlueGreenDecision.Apply it) {
      return "apply %s%s".formatted(it.child(), it.seen() == null ? "" : " in place");
    }
    if (decision instanceof BlueGreenDecision.Await it) {
      return "await %s%s".formatted(it.child(), it.untilMs() == null ? "" : " in time");
    }
    if (decision instanceof BlueGreenDecision.Switch it) {
      return "switch %sto %s".formatted(it.back() ? "back " : "", it.child());
    }
    if (decision instanceof BlueGreenDecision.AwaitIngress it) {
      return "ingress " + it.child();
    }
    if (decision instanceof BlueGreenDecision.Suspend it) {
      return "suspend " + it.child();
    }
    if (decision instanceof BlueGreenDecision.Delete it) {
      return "delete " + it.child();
    }
    if (decision instanceof BlueGreenDecision.End it) {
      return "end %s %d".formatted(it.outcome(), it.generation());
    }
    if (decision instanceof BlueGreenDecision.GiveUp it) {
      return "give up " + it.reason();
    }
    if (decision instanceof BlueGreenDecision.Hold it) {
      return "%s %s%s"
          .formatted(
              it.blocked() ? "blocked" : "parked",
              it.reason(),
              it.offersRestoreFrom() ? ", choose" : "");
    }
    return decision.getClass().getSimpleName();
  }
}
