package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.ModelLane;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The lane of one FlinkApplication. */
final class ApplicationLane extends ModelLane<ApplicationModel> {

  private static final int HELD_LOOKS = 10;

  private int resetBack = -1;
  private boolean wasReset;

  ApplicationLane(WorkflowWorker workflows, ApplicationModel model, String name) {
    super(
        workflows,
        model,
        ApplicationActivities.class,
        new ResourceRef("model", "FlinkApplication", "default", name, "uid-" + name),
        DeployApplication.TYPE,
        DeleteApplication.TYPE);
  }

  @Override
  public void abort() {
    model.aborted = true;
    super.abort();
  }

  /** A person changes the spec while a run may be open. */
  void change(ModelSpec next) {
    model.change(next);
    changed();
  }

  /** The run begins again from an earlier step, as soon as the call that is made has ended. */
  void resets(int stepsBack) {
    resetBack = stepsBack;
  }

  @Override
  protected void afterStep() {
    if (resetBack < 0 || !isOpen()) {
      return;
    }
    List<Long> points = temporal().resetPoints(temporal().runId());
    if (!points.isEmpty()) {
      int index = resetBack == 0 ? 0 : resetBack == 1 ? points.size() / 2 : points.size() - 1;
      temporal().reset(temporal().runId(), points.get(index), true);
      wasReset = true;
    }
    resetBack = -1;
  }

  @Override
  protected boolean isHeld(List<String> steps) {
    int size = steps.size();
    if (size < 2 * HELD_LOOKS) {
      return false;
    }
    OperationState state = model.operation();
    // a run that was reset has told of it before, and a lost worker may tell what was before
    if (state != OperationState.PARKED
        && state != OperationState.BLOCKED
        && !wasReset
        && !model.hadLate) {
      return false;
    }
    List<String> last = steps.subList(size - 2 * HELD_LOOKS, size);
    boolean same =
        IntStream.rangeClosed(1, HELD_LOOKS)
            .anyMatch(
                period ->
                    last.subList(period, last.size())
                        .equals(last.subList(0, last.size() - period)));
    OperationProgress progress = same ? progress() : null;
    return progress != null && progress.held() != null;
  }

  @Override
  protected @Nullable String wanted() {
    String type = wantedNow();
    if (type == null) {
      // what does not answer does so at last
      model.clusters.values().forEach(cluster -> cluster.silent = 0);
      type = wantedNow();
    }
    return type;
  }

  private @Nullable String wantedNow() {
    ApplicationRecord record = model.record;
    if (!record.isSettled() || model.isOperationOpen()) {
      return record.phase() == ApplicationPhase.DUAL_RUNNING && record.leaving() != null
          ? TearDownVersion.TYPE
          : DeployApplication.TYPE;
    }
    if (model.lyft != null && record.deployed() == null) {
      return DeployApplication.TYPE;
    }
    boolean newer =
        model.newest().problem() == null && model.generation > record.settledGeneration();
    if (record.phase() == ApplicationPhase.DUAL_RUNNING) {
      String tearDown = model.newest().requests().tearDownHash();
      boolean asked =
          record.deployed() != null
              && record.target() != null
              && (record.deployed().hash().equals(tearDown)
                  || record.target().hash().equals(tearDown));
      boolean pending =
          !model.newest().fullHash().equals(record.deployed().fullHash())
              && !model.newest().fullHash().equals(record.target().fullHash());
      if (asked && model.newest().problem() == null) {
        return TearDownVersion.TYPE;
      }
      return newer && !pending ? DeployApplication.TYPE : lost();
    }
    return newer ? DeployApplication.TYPE : lost();
  }

  private @Nullable String lost() {
    ApplicationSeen seen = model.seen();
    boolean lost =
        (seen.deployed() != null && SettledPlanner.isLost(seen.deployed()))
            || (seen.target() != null && SettledPlanner.isLost(seen.target()));
    return lost ? RecoverApplication.TYPE : null;
  }
}
