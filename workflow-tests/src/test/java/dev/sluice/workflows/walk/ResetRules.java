package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.walk.Point.Moment;
import dev.sluice.workflows.walk.ResetCases.Outcome;
import dev.sluice.workflows.walk.ResetCases.Todo;
import dev.sluice.workflows.walk.Resettable.Reapply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Temporal's Reset, at every step: whatever is begun again, nothing that runs as the newest spec
 * says is stopped, and no state is lost.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ResetRules {

  private static final List<String> SCENARIOS =
      List.of(
          "deploy",
          "upgrade",
          "upgrade-stateless",
          "upgrade-to-failing-aborted",
          "upgrade-to-no-slots-retried",
          "rescale",
          "recover-ha",
          "recover-unhealthy",
          "session-upgrade-ha-busy",
          "sessionjob-deploy",
          "sessionjob-upgrade",
          "sessionjob-upgrade-last-state",
          "delete-with-savepoint");

  private static final Spec NEWER = Spec.of("newer", JobShape.HEALTHY);

  private @Nullable ResetCases begun;
  private Map<String, Outcome> undisturbed = Map.of();

  /** Of neighbouring cases one is taken. */
  abstract int every();

  /** Where the cases are run. */
  abstract ResetCases begin();

  private ResetCases cases() {
    return Objects.requireNonNull(begun);
  }

  @BeforeAll
  void runUndisturbed() {
    begun = begin();
    undisturbed =
        cases()
            .run(
                scenarios().stream()
                    .map(it -> new Todo(it.name(), it, (run, script) -> run.begin()))
                    .toList())
            .stream()
            .collect(Collectors.toMap(Outcome::name, it -> it));
  }

  @AfterAll
  void stop() {
    cases().close();
  }

  @Test
  void aRunThatHasEndedIsResetToEachOfItsStepsOneAfterTheOther() {
    List<Todo> todo = new ArrayList<>();
    for (Scenario scenario : scenarios()) {
      List<Integer> steps = undisturbed.get(scenario.name()).steps();
      for (int run = 0; run < steps.size(); run++) {
        todo.add(ended(scenario, run, steps.get(run)));
      }
    }
    allHold(todo);
  }

  private Todo ended(Scenario scenario, int number, int steps) {
    return new Todo(
        "%s/run %d/each of %d steps".formatted(scenario.name(), number, steps),
        scenario,
        (run, script) -> {
          run.begin();
          Invariants invariants = run.environment().invariants();
          List<String> jobs = invariants.jobsBegun();
          for (int step = 0; step < steps && invariants.violations().isEmpty(); step++) {
            run.reset(number, step, Reapply.ALL);
            if (!invariants.jobsBegun().equals(jobs)) {
              invariants.violated("step " + step + " of " + steps + " starts another job");
            }
          }
        });
  }

  @Test
  void aRunThatWasAbortedOrRetriedIsResetWithoutWhatWasAskedForThen() {
    List<Todo> todo = new ArrayList<>();
    for (Scenario scenario : scenarios()) {
      List<Integer> steps = undisturbed.get(scenario.name()).steps();
      for (int step = 0; !scenario.person().isEmpty() && step < steps.get(0); step++) {
        todo.add(withoutSignals(scenario, step));
      }
    }
    allHold(part(todo));
  }

  private Todo withoutSignals(Scenario scenario, int step) {
    return new Todo(
        "%s/run 0/step %d/signals left out".formatted(scenario.name(), step),
        scenario,
        (run, script) -> {
          run.begin();
          run.reset(0, step, Reapply.NONE);
        });
  }

  @Test
  void anAbortThatCameTooLateStaysTooLateForARunThatIsReset() {
    List<Todo> todo = new ArrayList<>();
    for (String name : List.of("deploy", "upgrade")) {
      int calls = undisturbed.get(name).calls().size();
      for (int step = 0; step < calls; step++) {
        todo.add(abortedTooLate(Scenarios.named(name), calls, step));
      }
    }
    allHold(part(todo));
  }

  private Todo abortedTooLate(Scenario scenario, int last, int step) {
    return new Todo(
        "%s/step %d/aborted too late".formatted(scenario.name(), step),
        scenario,
        (run, script) -> {
          script.at(
              last,
              Moment.AFTER,
              0,
              () -> run.server().signal(run.lane().ref(), LaneSignals.ABORT, ""));
          run.begin();
          List<String> jobs = run.environment().invariants().jobsBegun();
          run.reset(0, step, Reapply.ALL);
          if (!run.environment().invariants().jobsBegun().equals(jobs)) {
            run.environment().invariants().violated("starts another job");
          }
        });
  }

  @Test
  void aNewerSpecIsReachedByARunThatIsReset() {
    List<Todo> todo = new ArrayList<>();
    for (Scenario scenario : scenarios()) {
      List<Integer> steps = undisturbed.get(scenario.name()).steps();
      for (int run = 0; run < steps.size(); run++) {
        for (int step = 0; step < steps.get(run); step++) {
          todo.add(newer(scenario, run, step));
        }
      }
    }
    allHold(part(todo));
  }

  private Todo newer(Scenario scenario, int number, int step) {
    return new Todo(
        "%s/run %d/step %d/newer".formatted(scenario.name(), number, step),
        scenario,
        (run, script) -> {
          run.begin();
          run.environment().resource().apply(NEWER);
          run.reset(number, step, Reapply.ALL);
        });
  }

  @Test
  void aRunInFlightIsResetToEachEarlierStep() {
    List<Todo> todo = new ArrayList<>();
    for (Scenario scenario : scenarios()) {
      int calls = undisturbed.get(scenario.name()).calls().size();
      for (int call = 1; call <= calls; call++) {
        for (Moment moment : Moment.values()) {
          // a rescale that another run has begun is carried on as an upgrade, which may stop the
          // job
          int first = scenario.name().equals("rescale") ? 1 : 0;
          for (int step = first; step < call; step++) {
            todo.add(inFlight(scenario, call, moment, step, (call + step) % 2 * 3));
          }
        }
      }
    }
    allHold(part(todo));
  }

  /** It does not know what it has done: it may stop the job, and says so. */
  @Test
  void aRescaleInFlightThatIsResetToItsFirstStepGoesOnAsAnUpgrade() {
    Scenario scenario = Scenarios.named("rescale");
    List<Todo> todo = new ArrayList<>();
    // it is frozen, and the job does not run so yet
    for (int call = 4; call <= 6; call++) {
      todo.add(inFlight(scenario, call, Moment.BEFORE, 0, 0));
    }
    allHold(todo);
  }

  private Todo inFlight(Scenario scenario, int call, Moment moment, int step, int late) {
    return new Todo(
        "%s/call %d %s/step %d/late %d".formatted(scenario.name(), call, moment, step, late),
        scenario,
        (run, script) -> {
          script.at(
              call,
              moment,
              late,
              () ->
                  run.begunAgain(run.server().runOfActivity(run.lane().ref()), step, Reapply.ALL));
          run.begin();
        });
  }

  @Test
  void anEarlierRunIsResetWhileALaterOneIsInFlight() {
    List<Todo> todo = new ArrayList<>();
    for (String name : List.of("deploy", "upgrade", "upgrade-to-failing-aborted")) {
      Scenario scenario = Scenarios.named(name);
      List<Integer> steps = undisturbed.get(name).steps();
      int calls = undisturbed.get("upgrade").calls().size();
      for (int number = 0; number < steps.size(); number++) {
        for (int step = 0; step < steps.get(number); step++) {
          for (int call = 1; call <= calls; call++) {
            todo.add(earlier(scenario, number, step, call));
          }
        }
      }
    }
    allHold(part(todo));
  }

  private Todo earlier(Scenario scenario, int number, int step, int call) {
    return new Todo(
        "%s/run %d/step %d/later run at %d".formatted(scenario.name(), number, step, call),
        scenario,
        (run, script) -> {
          run.begin();
          run.environment().resource().apply(NEWER);
          script.at(
              run.lane().steps().size() + call,
              call % 2 == 0 ? Moment.BEFORE : Moment.AFTER,
              0,
              () -> run.begunAgain(run.runs().get(number), step, Reapply.ALL));
          run.goOn();
        });
  }

  @Test
  void anAbortOfARescaleThatIsResetWhileALaterRunStopsTheJobLeavesNoJobDown() {
    List<Todo> todo = new ArrayList<>();
    Scenario scenario = Scenarios.named("rescale");
    List<Integer> steps = undisturbed.get("rescale").steps();
    int calls = undisturbed.get("upgrade").calls().size();
    for (int step = 0; step < steps.get(0); step++) {
      for (int call = 1; call <= calls; call++) {
        for (int abort = 1; abort <= 4; abort++) {
          todo.add(earlierAborted(scenario, step, call, abort));
        }
      }
    }
    allHold(part(todo));
  }

  private Todo earlierAborted(Scenario scenario, int step, int call, int abort) {
    return new Todo(
        "%s/step %d/later run at %d/abort at %d".formatted(scenario.name(), step, call, abort),
        scenario,
        (run, script) -> {
          run.environment().invariants().seesUnrecordedStops = true;
          run.begin();
          run.environment().resource().apply(NEWER);
          int reset = run.lane().steps().size() + call;
          script.at(
              reset,
              Moment.AFTER,
              0,
              () -> {
                run.begunAgain(run.runs().get(0), step, Reapply.ALL);
                script.at(reset + abort, Moment.AFTER, 0, () -> run.lane().abort());
              });
          run.goOn();
        });
  }

  private List<Todo> part(List<Todo> all) {
    int every = every();
    // those of one step are neighbours: a shift takes another step each time
    return IntStream.range(0, all.size())
        .filter(i -> (i + i / every) % every == 0)
        .mapToObj(all::get)
        .toList();
  }

  private void allHold(List<Todo> todo) {
    long start = System.nanoTime();
    String only = System.getProperty("sluice.reset.only", ".*");
    List<Outcome> outcomes =
        cases().run(todo.stream().filter(it -> it.name().matches(only)).toList());
    System.out.printf(
        "%d cases, %d s%n", outcomes.size(), (System.nanoTime() - start) / 1_000_000_000);
    if (System.getProperty("sluice.reset.only") != null) {
      outcomes.forEach(it -> System.out.println(it.told()));
    }
    assertThat(outcomes)
        .isNotEmpty()
        .filteredOn(it -> !it.violations().isEmpty())
        .map(Outcome::display)
        .isEmpty();
  }

  private static List<Scenario> scenarios() {
    return SCENARIOS.stream().map(Scenarios::named).toList();
  }
}
