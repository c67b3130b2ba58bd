package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each fault and each request before and after each call of each scenario. {@code
 * -Dsluice.application.every=1} takes all, {@code -Dsluice.application.only} those whose name
 * matches.
 */
@Tag("model")
class EveryApplicationFaultTest {

  private static final Pattern ONLY =
      Pattern.compile(System.getProperty("sluice.application.only", ".*"));

  /** Of so many neighbouring cases one is taken. */
  private static final int EVERY = 499;

  private final List<String> wrong = new ArrayList<>();
  private int cases;
  private int run;

  @Test
  void oneJobRunsItsStateIsKeptAndNothingIsStuck() {
    try (WorkflowWorker workers = workers()) {
      for (ApplicationScenario scenario : ApplicationScenario.all()) {
        ApplicationCase undisturbed =
            new ApplicationCase(workers, scenario, 0, false, ApplicationAct.CRASH);
        wrong.addAll(undisturbed.run(null));
        walk(workers, scenario, undisturbed.model);
      }
    }

    System.out.printf("%d of %d cases, %d wrong%n", run, cases, wrong.size());
    assertThat(wrong).isEmpty();
    assertThat(cases).isGreaterThan(10_000);
  }

  private void walk(
      WorkflowWorker workers, ApplicationScenario scenario, ApplicationModel undisturbed) {
    int calls = undisturbed.steps.size();
    for (int call = 1; call <= calls; call++) {
      for (ApplicationAct act : ApplicationAct.values()) {
        for (boolean after : new boolean[] {false, true}) {
          if (isTaken("%s-%d-%s".formatted(scenario.name(), call, act))) {
            wrong.addAll(new ApplicationCase(workers, scenario, call, after, act).run(undisturbed));
          }
        }
      }
    }
  }

  static WorkflowWorker workers() {
    return new WorkflowWorker(
        DeployApplicationWorkflow.class,
        RescaleApplicationWorkflow.class,
        TearDownVersionWorkflow.class,
        RecoverApplicationWorkflow.class,
        DeleteApplicationWorkflow.class);
  }

  private boolean isTaken(String name) {
    boolean taken =
        cases++ % Integer.getInteger("sluice.application.every", EVERY) == 0
            && ONLY.matcher(name).find();
    run += taken ? 1 : 0;
    return taken;
  }
}
