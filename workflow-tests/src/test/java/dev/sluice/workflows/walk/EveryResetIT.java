package dev.sluice.workflows.walk;

import org.junit.jupiter.api.AfterAll;

/** On a simulated Temporal: all cases. */
class EveryResetIT extends ResetRules {

  private final SimulatedWorker worker = new SimulatedWorker();

  @Override
  int every() {
    return 1;
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
