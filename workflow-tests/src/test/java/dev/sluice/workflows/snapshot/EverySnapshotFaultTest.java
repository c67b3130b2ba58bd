package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.simulation.WorkflowWorker;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each fault and each request before and after each call of each scenario. {@code
 * -Dsluice.snapshot.every=1} takes all.
 */
@Tag("model")
class EverySnapshotFaultTest {

  private enum Act {
    /** The call fails, and is made again: a worker is lost, or the answer. */
    CRASH,
    /** It fails until the step is given up. */
    FAIL_LONG,
    ABORT,
    DELETE,
    RETRY,
    /**
     * The run is terminated by hand; the controller starts another one, while the worker still
     * carries out what the first one has asked for: two runs are at one effect.
     */
    TERMINATE,
    /** The worker forgets the run and replays it. */
    FORGET,
    /** Temporal says that the run should go on in another one. */
    HISTORY_IS_LONG,
    CANCEL,
    /** The resource is removed without its finalizer. */
    VANISH
  }

  private static final Set<String> TAKEN_AT_ONCE =
      Set.of("taken", "checkpoint", "silent", "not-up-for-long", "stopped", "replaced");

  private static final Set<String> DISPOSED_AT_ONCE = Set.of("deleted");

  /**
   * @param inStatus whether it is taken without a FlinkStateSnapshot
   */
  private record Scenario(
      String name, Consumer<SnapshotModel> setup, boolean deletes, boolean inStatus) {

    Scenario(String name, Consumer<SnapshotModel> setup, boolean deletes) {
      this(name, setup, deletes, false);
    }

    String display() {
      return inStatus ? "in-status-" + name : name;
    }
  }

  private static final List<Scenario> OF_RESOURCES =
      List.of(
          new Scenario("taken", model -> {}, false),
          new Scenario(
              "checkpoint",
              model -> {
                model.wanted = SnapshotType.CHECKPOINT;
                model.disposes = false;
              },
              false),
          new Scenario("fails-once", model -> model.failing = 1, false),
          new Scenario(
              "fails",
              model -> {
                model.failing = 100;
                model.failuresAllowed = 1;
              },
              false),
          new Scenario("silent", model -> model.silent = 1, false),
          new Scenario("lost", model -> model.restarts = 1, false),
          new Scenario(
              "lost-finally",
              model -> {
                model.restarts = 1;
                model.failuresAllowed = 0;
              },
              false),
          new Scenario(
              "not-up-for-long",
              model -> {
                model.notUp = 2;
                model.failuresAllowed = 0;
              },
              false),
          new Scenario("stopped", model -> model.stops = 1, false),
          new Scenario("replaced", model -> model.replacements = 1, false),
          new Scenario("no-job", model -> model.noJob = "the job is FINISHED", false),
          new Scenario("deleted", model -> {}, true),
          new Scenario("deleted-and-kept", model -> model.disposes = false, true),
          new Scenario(
              "needed", model -> model.instead = new Disposal.Left("a status names it"), true),
          new Scenario("disposal-fails", model -> model.disposalHangs = true, true));

  /** The same without a FlinkStateSnapshot, which nothing deletes. */
  private static final List<Scenario> SCENARIOS =
      Stream.concat(
              OF_RESOURCES.stream(),
              OF_RESOURCES.stream()
                  .filter(it -> !it.deletes())
                  .map(it -> new Scenario(it.name(), it.setup(), false, true)))
          .toList();

  private static final class Case {
    private final String name;
    private final Scenario scenario;
    private final int at;
    private final boolean after;
    private final Act act;
    private final SnapshotModel model = new SnapshotModel();
    private final SnapshotLane lane;
    private final SnapshotModel undisturbed;
    private int left;

    /** Without any fault. */
    Case(WorkflowWorker workers, Scenario scenario) {
      this(workers, scenario, 0, false, Act.CRASH, null);
    }

    Case(
        WorkflowWorker workers,
        Scenario scenario,
        int at,
        boolean after,
        Act act,
        @Nullable SnapshotModel undisturbed) {
      this.undisturbed = undisturbed == null ? model : undisturbed;
      this.name = scenario.display() + "-" + at + (after ? "-after-" : "-before-") + act;
      this.scenario = scenario;
      this.at = at;
      this.after = after;
      this.act = act;
      String resource = name.toLowerCase(Locale.ROOT);
      this.lane =
          scenario.inStatus()
              ? SnapshotLane.ofStatus(workers, model, resource)
              : new SnapshotLane(workers, model, resource);
      this.left = act == Act.FAIL_LONG ? 20 : 1;
    }

    void run(List<String> wrong) {
      scenario.setup().accept(model);
      if (at > 0) {
        model.script = this::at;
      }
      try {
        lane.untilRest();
        if (scenario.deletes() && model.exists && !model.deleting) {
          lane.delete();
          lane.untilRest();
        }
        verify(wrong);
      } catch (AssertionError | RuntimeException failed) {
        wrong.add(name + ": " + failed);
      }
    }

    private void at(int call, String step, boolean isAfter) {
      boolean here = call == at && isAfter == after;
      boolean again = act == Act.FAIL_LONG && call >= at && isAfter == after;
      if ((!here && !again) || left-- <= 0) {
        return;
      }
      switch (act) {
        case CRASH, FAIL_LONG -> throw ApplicationFailure.newFailure("connection reset", "IO");
        case ABORT -> lane.abort();
        case DELETE -> lane.delete();
        case RETRY -> lane.temporal().signal("retry");
        case TERMINATE -> {
          boolean unused = lane.temporal().terminate();
        }
        case FORGET -> lane.temporal().forget();
        case HISTORY_IS_LONG -> lane.temporal().historyIsLong();
        case CANCEL -> lane.temporal().cancel();
        case VANISH -> model.exists = false;
      }
    }

    /** What it was asked to do and what it says, against what became of the files. */
    private void verifyFiles(List<String> wrong) {
      boolean toldLeft =
          model.reports.stream()
              .anyMatch(
                  it ->
                      "CleanupFailed".equals(it.event())
                          || it.message().contains("see in s3://savepoints")
                          || it.message().contains("its files are left"));
      String path = model.record.path();
      for (String each : files()) {
        if (!model.disposed.contains(each) && !toldLeft) {
          wrong.add(name + ": " + each + " is left, and nobody is told: " + model.lastMessage());
        }
      }
      if (path != null && model.lastMessage().contains("is deleted")) {
        if (!model.disposed.contains(path)) {
          wrong.add(name + ": " + path + " is not gone: " + model.lastMessage());
        }
      }
      if (isHarmless()
          && DISPOSED_AT_ONCE.contains(scenario.name())
          && !model.disposed.containsAll(files())) {
        wrong.add(name + ": left " + files() + ": " + model.lastMessage());
      }
    }

    /** What is on disk of it, unless it is disposed of. */
    private List<String> files() {
      return List.copyOf(model.taken.values());
    }

    /** One that is not over is given up, unless the call records its end; what is over stays. */
    private void verifyAbort(List<String> wrong) {
      SnapshotState expected =
          at < undisturbed.endedAt ? SnapshotState.ABANDONED : undisturbed.record.state();
      if (model.record.state() != expected) {
        wrong.add(name + ": is " + model.record.state() + ", not " + expected);
      }
    }

    private boolean isHarmless() {
      return act == Act.CRASH
          || act == Act.FORGET
          || act == Act.TERMINATE
          || act == Act.HISTORY_IS_LONG;
    }

    private void verify(List<String> wrong) {
      model.violations.forEach(it -> wrong.add(name + ": " + it));
      if (model.triggers.size() != model.triggers.stream().distinct().count()) {
        wrong.add(name + ": triggered twice under one id");
      }
      if (model.taken.size() > 1 && !scenario.name().startsWith("lost")) {
        wrong.add(name + ": more than one savepoint: " + model.taken);
      }
      if (model.exists && !model.record.state().isFinal()) {
        wrong.add(name + ": ended as " + model.record);
      }
      if (model.deleting && model.exists) {
        wrong.add(name + ": the resource is never deleted");
      }
      if (model.deleting && model.disposes && act != Act.VANISH && !scenario.inStatus()) {
        verifyFiles(wrong);
      }
      if (act == Act.ABORT && left <= 0) {
        verifyAbort(wrong);
      }
      if (act == Act.RETRY
          && undisturbed.record.state() == SnapshotState.COMPLETED
          && !model.record.equals(FlinkStateSnapshotStatus.EMPTY.attempts())
          && model.record.state() != SnapshotState.COMPLETED) {
        wrong.add(name + ": a retry made it " + model.record);
      }
      boolean harmless = isHarmless();
      if (harmless
          && !scenario.deletes()
          && TAKEN_AT_ONCE.contains(scenario.name())
          && (model.record.state() != SnapshotState.COMPLETED || model.record.failures() > 0)) {
        wrong.add(name + ": is " + model.record);
      }
      if (harmless && scenario.name().equals("fails") && model.record.failures() != 2) {
        wrong.add(name + ": counted " + model.record.failures() + " failures");
      }
      if (harmless && scenario.name().equals("lost") && model.record.failures() != 1) {
        wrong.add(name + ": a lost one counts once, not " + model.record.failures() + " times");
      }
    }
  }

  /** Of so many neighbouring cases one is taken. */
  private static int every() {
    return Integer.getInteger("sluice.snapshot.every", 3);
  }

  @Test
  void nothingIsTakenTwiceNothingIsStuckAndTheStatusIsTrue() {
    List<String> wrong = new ArrayList<>();
    int cases = 0;
    try (WorkflowWorker workers = new WorkflowWorker(SnapshotWorkflow.class)) {
      for (Scenario scenario : SCENARIOS) {
        Case undisturbed = new Case(workers, scenario);
        undisturbed.run(wrong);
        for (int call = 1; call <= undisturbed.model.steps.size(); call++) {
          for (boolean after : new boolean[] {false, true}) {
            for (Act act : Act.values()) {
              if (cases++ % every() == 0) {
                new Case(workers, scenario, call, after, act, undisturbed.model).run(wrong);
              }
            }
          }
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(cases).isGreaterThan(1_200);
  }
}
