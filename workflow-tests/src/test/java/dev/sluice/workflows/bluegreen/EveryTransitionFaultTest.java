package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.simulation.WorkflowWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each fault and each request before and after each call of each scenario, and a reset of the run
 * to each of its steps after each call. {@code -Dsluice.bluegreen.every=1} takes all, {@code
 * -Dsluice.bluegreen.only} those whose name matches.
 */
@Tag("model")
class EveryTransitionFaultTest {

  private static final Logger LOG = LoggerFactory.getLogger(EveryTransitionFaultTest.class);

  private static final Pattern ONLY =
      Pattern.compile(System.getProperty("sluice.bluegreen.only", ".*"));

  /** Of so many neighbouring cases one is taken. */
  private static final int EVERY = Integer.getInteger("sluice.bluegreen.every", 37);

  private final List<String> wrong = new ArrayList<>();
  private int cases;
  private int run;

  @Test
  void theLiveChildStaysItsStateIsKeptAndNothingIsStuck() {
    try (WorkflowWorker workers =
        new WorkflowWorker(TransitionWorkflow.class, DeleteBlueGreenWorkflow.class)) {
      for (BlueGreenScenario scenario : BlueGreenScenario.all()) {
        BlueGreenCase undisturbed =
            new BlueGreenCase(workers, scenario, 0, false, BlueGreenAct.CRASH);
        wrong.addAll(undisturbed.run(null));
        int calls = undisturbed.model.steps.size();
        resets(workers, scenario, undisturbed);
        for (int call = 1; call <= calls; call++) {
          for (BlueGreenAct act : BlueGreenAct.all()) {
            for (boolean after : new boolean[] {false, true}) {
              if (isTaken("%s-%d-%s".formatted(scenario.name(), call, act))) {
                wrong.addAll(
                    new BlueGreenCase(workers, scenario, call, after, act).run(undisturbed.model));
              }
            }
          }
        }
      }
    }

    String summary = "%d of %d cases, %d broken".formatted(run, cases, wrong.size());
    LOG.warn(summary);
    write(summary);
    assertThat(wrong).as(summary).isEmpty();
    assertThat(cases).isGreaterThan(10_000);
  }

  /** After each call, and after the end, the run begins again at each step that it had done. */
  private void resets(WorkflowWorker workers, BlueGreenScenario scenario, BlueGreenCase before) {
    int calls = before.model.steps.size();
    for (int call = 1; call <= calls + 1; call++) {
      for (int point = 0; point <= call; point++) {
        if (isTaken("%s-%d-RESET-%d".formatted(scenario.name(), call, point))) {
          wrong.addAll(BlueGreenCase.reset(workers, scenario, call, point).run(before.model));
        }
      }
    }
  }

  private void write(String summary) {
    Path file = Path.of("target", "walk", "bluegreen.txt");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, summary + "\n" + String.join("\n", wrong));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isTaken(String name) {
    boolean taken = cases++ % EVERY == 0 && ONLY.matcher(name).find();
    run += taken ? 1 : 0;
    return taken;
  }
}
