package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.CaseRun.Together;
import dev.sluice.workflows.walk.Person.Reaction;
import dev.sluice.workflows.walk.Point.Moment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two FlinkSessionJobs on one session cluster, each with an operation at the same time. Nobody
 * looks after them: what is held goes on by itself. {@code -Dsluice.together.every=1} takes all
 * cases.
 */
@Tag("model")
class TwoJobsOfOneClusterTest {

  /** Of so many neighbouring cases one is taken. */
  private static final int EVERY = Integer.getInteger("sluice.together.every", 7);

  /** For one that stands still after no call. */
  private static final int NEVER = Integer.MAX_VALUE;

  private static final List<Scenario> OPERATIONS =
      List.of(
          operation("deploy", "apply new"),
          operation("upgrade", "deploy old; apply new"),
          operation("upgrade-last-state", "deploy old; apply new mode=LAST_STATE"),
          operation("upgrade-ha", "deploy old highlyAvailable; apply new highlyAvailable"));

  /** Each at one moment of the first lane. */
  private static final List<List<Act>> ACTS =
      List.of(
          List.of(Act.LOSE_WORKER),
          List.of(Act.LOSE_WORKFLOW_WORKER),
          List.of(Act.SESSION_CLUSTER_LEAVES),
          List.of(Act.SESSION_CLUSTER_LEAVES, Act.LOSE_WORKER),
          List.of(Act.SESSION_CLUSTER_LEAVES_IN_VAIN, Act.LOSE_WORKER),
          List.of(Act.SESSION_CLUSTER_LEAVES_BRIEFLY, Act.LOSE_WORKFLOW_WORKER));

  private static Scenario operation(String name, String given) {
    return Scenario.of(name, "hosted; " + given, Collections.nCopies(10, Reaction.NOTHING));
  }

  @Test
  void noJobRunsTwiceOrIsLostWhateverHappensToOneOfThemOrToTheCluster() {
    List<Outcome> outcomes = new ArrayList<>();

    try (SimulatedWorker worker = new SimulatedWorker();
        Drivers drivers = Drivers.computing()) {
      List<Callable<List<Outcome>>> cases = new ArrayList<>();
      int count = 0;
      for (Scenario first : OPERATIONS) {
        List<Point> points = points(steps(first, worker));
        for (Scenario second : OPERATIONS) {
          for (Point point : points) {
            for (List<Act> acts : ACTS) {
              if (count++ % EVERY == 0) {
                cases.add(() -> disturbed(first, second, point, acts, worker));
              }
            }
          }
        }
      }
      drivers.drive(cases, outcomes::addAll);
    }

    assertThat(broken(outcomes)).isEmpty();
  }

  @Test
  void noneOfThemWaitsForTheOther() {
    try (SimulatedWorker worker = new SimulatedWorker()) {
      for (Scenario first : OPERATIONS) {
        for (Scenario second : OPERATIONS) {
          List<String> alone = steps(second, worker);
          for (int calls = 0; calls <= steps(first, worker).size(); calls++) {
            List<Outcome> outcomes =
                CaseRun.runTogether(
                    "%s stands still after %d calls, %s"
                        .formatted(first.name(), calls, second.name()),
                    new Together(first, Script.NOTHING),
                    new Together(second, Script.NOTHING),
                    calls,
                    worker);

            assertThat(broken(outcomes)).isEmpty();
            assertThat(outcomes.get(1).steps()).as(outcomes.get(1).name()).isEqualTo(alone);
          }
        }
      }
    }
  }

  private static List<Outcome> disturbed(
      Scenario first, Scenario second, Point point, List<Act> acts, SimulatedWorker worker) {
    Script script =
        (lane, now) -> {
          if (now.equals(point)) {
            acts.forEach(act -> act.happen(lane, now));
          }
        };
    return CaseRun.runTogether(
        "%s beside %s: %s at %s".formatted(first.name(), second.name(), acts, point),
        new Together(first, script),
        new Together(second, Script.NOTHING),
        NEVER,
        worker);
  }

  private static List<String> steps(Scenario scenario, SimulatedWorker worker) {
    return CaseRun.run("alone: " + scenario.name(), scenario, Script.NOTHING, worker).steps();
  }

  private static List<Point> points(List<String> steps) {
    return Stream.iterate(1, call -> call + 1)
        .limit(steps.size())
        .flatMap(
            call ->
                Stream.of(Moment.values())
                    .filter(moment -> FaultCases.has(steps.get(call - 1), moment))
                    .map(moment -> new Point(call, steps.get(call - 1), moment)))
        .toList();
  }

  private static String broken(List<Outcome> outcomes) {
    return outcomes.stream()
        .filter(it -> !it.violations().isEmpty())
        .limit(40)
        .map(Outcome::display)
        .collect(Collectors.joining("\n"));
  }
}
