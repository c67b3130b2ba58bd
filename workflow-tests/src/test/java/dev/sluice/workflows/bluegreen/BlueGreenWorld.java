package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.simulation.LaneModel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What there is in the world of one FlinkBlueGreenDeployment, and how calls act on it. */
abstract class BlueGreenWorld extends LaneModel {

  /**
   * A savepoint.
   *
   * @param of uid of the child whose job it is of
   * @param since which transition it is of
   * @param records what the job had processed
   */
  record Savepoint(String of, long since, long records) {}

  final Map<Long, ModelSpec> specs = new HashMap<>();
  final Map<Color, ModelChild> children = new EnumMap<>(Color.class);
  final Map<String, Savepoint> savepoints = new HashMap<>();
  BlueGreenStanding standing = BlueGreenStanding.EMPTY;

  /** {@code lastReconciledSpec}. */
  @Nullable ModelSpec reachedSpec;

  /** Which spec the transition was begun with. */
  @Nullable ModelSpec begunSpec;

  @Nullable String restoreFrom;
  @Nullable String savepointFails;
  @Nullable String begunInvalid;

  /** The child's deletion does not come to an end. */
  boolean neverGone;

  /** Something has changed since the last look that no run could know of. */
  boolean surprised;

  final Set<Long> everGivenUp = new HashSet<>();

  /** Somebody did something to a child. */
  boolean meddled;

  /** The children that were live, by uid, in order. */
  final List<String> live = new ArrayList<>();

  private int uids;

  BlueGreenWorld() {
    specs.put(generation, ModelSpec.FIRST);
  }

  ModelSpec newest() {
    return Objects.requireNonNull(specs.get(generation));
  }

  /** A person changes the spec. */
  void change(ModelSpec next) {
    surprised = true;
    generation++;
    specs.put(generation, next);
  }

  @Nullable ModelChild liveChild() {
    return standing.live() == null ? null : children.get(standing.live());
  }

  /** A child that runs generation 1 since long. */
  void deployed() {
    ModelChild child = child(Color.BLUE, newest(), null, 100);
    children.put(Color.BLUE, child);
    standing = new BlueGreenStanding(Color.BLUE, null, generation, 0);
    reachedSpec = newest();
    live.add(child.uid);
  }

  ModelChild child(Color color, ModelSpec spec, @Nullable String from, long records) {
    ModelChild child = new ModelChild(color, "uid" + ++uids, generation, spec, from, records, true);
    child.busy = 0;
    return child;
  }

  /** Notes a broken rule. */
  final void rule(boolean holds, String rule) {
    check(holds, rule);
  }

  /** Of an exactly-once cut-over never both jobs run, nor one of two that comes to by itself. */
  @Override
  protected void checkAlways() {
    BlueGreenStanding.Begun begun = standing.transition();
    if (begun != null && begun.cut() != null && !meddled) {
      check(
          children.values().stream().filter(ModelChild::mayRun).count() <= 1,
          "never both jobs run: " + children.values());
    }
  }

  @Override
  protected void passTime() {
    children.values().forEach(ModelChild::works);
  }

  @Override
  protected void comesLate() {
    surprised = true;
  }

  BlueGreenSeen seen() {
    ModelChild blue = children.get(Color.BLUE);
    ModelChild green = children.get(Color.GREEN);
    return new BlueGreenSeen(
        generation,
        deleting,
        newest().problem(),
        change(),
        newest().settings(),
        standing,
        blue == null ? null : blue.seen(),
        green == null ? null : green.seen(),
        isOperationOpen(),
        restoreFrom,
        isSameTemplate());
  }

  /** Whether a child would see no difference to what the transition was begun with. */
  final boolean isSameTemplate() {
    return standing.transition() != null && begunSpec != null && begunSpec.sameAs(newest());
  }

  Change change() {
    return newest().from(reachedSpec);
  }

  final void requirePlannedFor(BlueGreenStanding planned) {
    if (!standing.equals(planned)) {
      throw outdated("the status stands as " + standing);
    }
  }
}
