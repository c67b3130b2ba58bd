package dev.sluice.workflows.fake;

import dev.sluice.workflows.activity.RescaleActivities;

/** Of an environment in which no job is scaled in place: there is nothing to take back. */
final class NothingRescaled implements RescaleActivities {

  @Override
  public Answer checkRescale(RescaleRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Answer changeParallelism(RescaleRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String awaitParallelism(AwaitParallelismRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void updateCluster(RescaleRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void undoRescale(RescaleRequest request) {}
}
