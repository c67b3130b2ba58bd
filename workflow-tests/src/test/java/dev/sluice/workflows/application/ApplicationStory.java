package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** One application whose runs are let go on, and what a test does at the steps that it names. */
final class ApplicationStory {

  final ApplicationModel model = new ApplicationModel();
  final ApplicationLane lane;
  private final Map<String, Integer> calls = new HashMap<>();
  private final Map<String, Runnable> acts = new HashMap<>();

  ApplicationStory(WorkflowWorker workers, String name, Consumer<ApplicationModel> setup) {
    this.lane = new ApplicationLane(workers, model, name);
    setup.accept(model);
    model.script =
        (call, step, after) -> {
          if (!after) {
            int nth = calls.merge(step, 1, Integer::sum);
            acts.getOrDefault(step + nth, () -> {}).run();
          }
        };
  }

  /** Does something before the call of that step which is the {@code nth}. */
  ApplicationStory before(String step, int nth, Runnable act) {
    acts.put(step + nth, act);
    return this;
  }

  /** Lets runs go on until nothing is to be done, or one is held. */
  ApplicationStory untilRest() {
    lane.untilRest();
    assertThat(model.violations).isEmpty();
    return this;
  }

  /** What was held goes on, and comes to its end. */
  ApplicationStory helped() {
    lane.looksAnew();
    lane.retry();
    return untilRest();
  }

  ModelJob job() {
    return Objects.requireNonNull(model.job(model.record.deployed()));
  }
}
