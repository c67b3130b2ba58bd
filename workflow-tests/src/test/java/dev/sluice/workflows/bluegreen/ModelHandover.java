package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Cut;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.BlueGreenWorld.Savepoint;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How the state of the live job of a model gets to the new one, by the rules of its activities. */
final class ModelHandover {

  private final BlueGreenWorld world;

  ModelHandover(BlueGreenWorld world) {
    this.world = world;
  }

  Taken taken(SavepointRequest request) {
    Begun begun = world.standing.transition();
    if (begun != null
        && begun.savepoint() != null
        && begun.isSame(request.plannedFor().transition())) {
      return new Taken.At(begun.savepoint());
    }
    world.requirePlannedFor(request.plannedFor());
    ModelChild child = world.liveChild();
    if (child == null || !child.uid.equals(request.live())) {
      throw BlueGreenWorld.outdated("the live child is another one");
    }
    if (world.savepointFails != null || !(child.phase() instanceof Phase.Ready)) {
      return new Taken.Failed(world.savepointFails == null ? "not running" : world.savepointFails);
    }
    long since = Objects.requireNonNull(begun).sinceMs();
    String path = "savepoint-%s-%d".formatted(child.uid, since);
    world.savepoints.putIfAbsent(path, new Savepoint(child.uid, since, child.records));
    world.standing =
        new BlueGreenStanding(
            world.standing.live(),
            new Begun(begun.to(), begun.generation(), since, begun.source(), path, null),
            world.standing.reached(),
            world.standing.givenUp());
    return new Taken.At(path);
  }

  void created(Color color, long madeFor) {
    Begun begun = world.standing.transition();
    world.rule(begun != null && begun.to() == color, "only a transition creates a child");
    if (begun == null) {
      return;
    }
    if (begun.cut() != null) {
      ModelChild cluster = world.child(color, world.newest(), null, 0);
      cluster.busy = 1;
      cluster.session = true;
      cluster.hasJob = false;
      cluster.madeFor = madeFor;
      world.children.put(color, cluster);
      boolean unused = started(cluster);
      return;
    }
    world.rule(
        begun.source() == Source.SPEC
            || begun.source() == Source.EMPTY
            || begun.savepoint() != null,
        "no child starts without the state of the live one");
    String from = begun.savepoint();
    Savepoint savepoint = from == null ? null : world.savepoints.get(from);
    ModelChild child =
        world.child(color, world.newest(), from, savepoint == null ? 0 : savepoint.records());
    child.busy = 1;
    child.madeFor = madeFor;
    world.children.put(color, child);
  }

  /**
   * The first request has it stop, and a later one finds that it has: in between is where requests
   * and faults come.
   */
  Taken stopped(SavepointRequest request) {
    Begun begun = world.standing.transition();
    if (begun == null
        || begun.cut() == null
        || !begun.isSame(request.plannedFor().transition())
        || world.standing.live() != request.plannedFor().live()
        || begun.to() == world.standing.live()) {
      throw BlueGreenWorld.outdated("no transition waits for that");
    }
    if (begun.savepoint() != null) {
      return new Taken.At(begun.savepoint());
    }
    ModelChild live = world.liveChild();
    if (live == null || !live.uid.equals(request.live())) {
      return new Taken.Failed("the live child is gone");
    }
    if (!begun.stops() || live.seen().mayRun()) {
      ModelChild coming = world.children.get(begun.to());
      if (coming == null || !(coming.phase() instanceof Phase.Prepared)) {
        world.rule(world.surprised, "the live job is stopped when there is where to go on");
        throw BlueGreenWorld.outdated("the new cluster is not ready");
      }
    }
    if (!begun.stops()) {
      note(begun, null, new Cut(world.clock.getAsLong(), null));
    }
    Begun noted = Objects.requireNonNull(world.standing.transition());
    boolean runs = live.spec.running();
    if (runs && noted.wasSuspended()) {
      return new Taken.Failed("it was told to run again");
    }
    if (!noted.wasSuspended()) {
      Long now = world.clock.getAsLong();
      note(begun, null, new Cut(Objects.requireNonNull(noted.cut()).stoppingMs(), now));
    }
    if (runs) {
      live.suspend();
      if (world.savepointFails != null) {
        live.broken = new Phase.Held(world.savepointFails);
      }
      return new Taken.Failed("it is at it");
    }
    if (live.phase() instanceof Phase.Held held) {
      return new Taken.Failed(held.why());
    }
    live.settles();
    String state = live.state();
    if (!live.seen().isStopped()) {
      return new Taken.Failed("it is at it");
    }
    if (begun.source() != Source.SAVEPOINT) {
      return new Taken.Stopped();
    }
    if (state == null) {
      return new Taken.Failed("it has left nothing");
    }
    world.savepoints.putIfAbsent(state, new Savepoint(live.uid, begun.sinceMs(), live.records));
    note(begun, state, Objects.requireNonNull(world.standing.transition()).cut());
    return new Taken.At(state);
  }

  private void note(Begun begun, @Nullable String savepoint, @Nullable Cut cut) {
    BlueGreenStanding standing = world.standing;
    world.standing =
        new BlueGreenStanding(
            standing.live(),
            new Begun(
                begun.to(),
                begun.generation(),
                begun.sinceMs(),
                begun.source(),
                savepoint == null ? begun.savepoint() : savepoint,
                begun.switchedMs(),
                cut),
            standing.reached(),
            standing.givenUp());
  }

  /** The new job of a cut-over becomes live beside no other one. */
  void requireStopped(Begun begun, @Nullable ModelChild old) {
    if (begun.cut() != null && old != null && old.seen().mayRun()) {
      world.rule(world.surprised || world.meddled, "the old job is stopped at the switch");
      throw BlueGreenWorld.outdated("the old job may run");
    }
  }

  void resumed(ChildRequest request) {
    Begun begun = Objects.requireNonNull(world.standing.transition());
    ModelChild coming = world.children.get(begun.to());
    boolean mayHaveOne = begun.source() != Source.SAVEPOINT || begun.savepoint() != null;
    if (coming != null && (coming.hasJob || mayHaveOne)) {
      world.rule(world.surprised, "the live job goes on when the new one is gone");
      throw BlueGreenWorld.outdated("the new child is there");
    }
    ModelChild live = world.liveChild();
    if (live == null || !live.uid.equals(request.seen())) {
      throw BlueGreenWorld.outdated("the live child is another one");
    }
    if (!live.spec.running()) {
      live.resume();
    }
  }

  /** Starts the job on its session cluster; false where that may not be yet. */
  boolean started(ModelChild cluster) {
    Begun begun = Objects.requireNonNull(world.standing.transition());
    ModelChild live = world.liveChild();
    boolean known = begun.source() != Source.SAVEPOINT || begun.savepoint() != null;
    boolean same =
        live == null
            || (live.seen().isStopped()
                && (begun.source() != Source.SAVEPOINT
                    || Objects.equals(live.state(), begun.savepoint())));
    if (!known || !same) {
      return false;
    }
    Savepoint from = begun.savepoint() == null ? null : world.savepoints.get(begun.savepoint());
    cluster.start(begun.savepoint(), from == null ? 0 : from.records());
    return true;
  }
}
