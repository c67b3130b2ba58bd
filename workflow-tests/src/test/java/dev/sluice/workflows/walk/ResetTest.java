package dev.sluice.workflows.walk;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** On a simulated Temporal: every third case; {@code -Dsluice.reset.every=1} takes all. */
@Tag("model")
class ResetTest extends ResetRules {

  private final SimulatedWorker worker = new SimulatedWorker();

  @Override
  int every() {
    return Integer.getInteger("sluice.reset.every", 3);
  }

  @Override
  ResetCases begin() {
    return new ResetCases(ref -> new SimulatedLane(worker, ref), Drivers.computing());
  }

  @AfterAll
  void close() {
    worker.close();
  }
}
