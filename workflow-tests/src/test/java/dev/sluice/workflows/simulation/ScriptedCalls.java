package dev.sluice.workflows.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Calls of activities in their order, and what the test does at each moment of each. */
public abstract class ScriptedCalls {

  /** What the test does at each moment of each call. */
  public interface Script {
    /**
     * @param call its number, from 1
     * @param step activity type
     * @param after false before the effect
     */
    void at(int call, String step, boolean after);
  }

  /** Activity types, in the order of their calls. */
  public final List<String> steps = new ArrayList<>();

  /** The rules that were broken. */
  public final List<String> violations = new ArrayList<>();

  /** What happens at each moment. */
  public Script script = (call, step, after) -> {};

  /** Notes a broken rule. */
  protected final void check(boolean holds, String rule) {
    if (!holds) {
      violations.add(rule + "; at " + steps);
    }
  }

  /** One call of an activity. */
  protected final <T> T call(String step, Supplier<T> effect) {
    steps.add(step);
    int number = steps.size();
    script.at(number, step, false);
    T result = effect.get();
    script.at(number, step, true);
    return result;
  }
}
