package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import dev.sluice.workflows.walk.Point.Moment;
import java.util.ArrayList;
import java.util.List;

/** Each act at each moment of each activity call of each scenario. */
final class FaultCases {

  private static final List<String> HAS_A_MIDDLE =
      List.of(
          "StopWithSavepoint",
          "CancelJob",
          "AwaitNoJobs",
          "SuspendSessionJobs",
          "DeleteCluster",
          "CreateCluster",
          "CheckJar",
          "StartJob",
          "EndJob",
          "AwaitJobManager",
          "AwaitRunning",
          "AwaitStable",
          "ChangeParallelism",
          "AwaitParallelism",
          "UndoRescale",
          "RecordEnd",
          "FreezeRevision");

  private FaultCases() {}

  /** All of them: the scenarios are run once undisturbed, to see which calls they make. */
  static List<Case> all(Cases cases) {
    List<Outcome> undisturbed = new ArrayList<>();
    List<Scenario> scenarios = Scenarios.all();
    cases.run(scenarios.stream().map(Case::undisturbed).map(Todo::of).toList(), undisturbed::add);
    List<Case> all = new ArrayList<>();
    for (int i = 0; i < scenarios.size(); i++) {
      all.addAll(of(scenarios.get(i), undisturbed.get(i).steps()));
    }
    return all;
  }

  /** Whether a call of that step comes to that moment. */
  static boolean has(String step, Moment moment) {
    return moment != Moment.DURING || HAS_A_MIDDLE.contains(step);
  }

  private static List<Case> of(Scenario scenario, List<String> steps) {
    List<Case> cases = new ArrayList<>();
    for (int call = 1; call <= steps.size(); call++) {
      String step = steps.get(call - 1);
      for (Moment moment : Moment.values()) {
        if (!has(step, moment)) {
          continue;
        }
        for (Act act : Act.values()) {
          if (act.fits(moment) && act.fits(scenario.kind())) {
            cases.add(new Case(scenario, new Point(call, step, moment), act));
          }
        }
      }
    }
    return cases;
  }
}
