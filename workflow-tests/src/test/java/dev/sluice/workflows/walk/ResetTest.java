package dev.sluice.workflows.walk;

import org.junit.jupiter.api.AfterAll;

/** On a simulated Temporal: every third case; {@link EveryResetIT} has all. */
class ResetTest extends ResetRules {

  private final SimulatedWorker worker = new SimulatedWorker();

  @Override
  int every() {
    return 3;
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
