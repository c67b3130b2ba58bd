package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a run says of itself, and of which snapshot: a lane may take one after the other. */
final class SnapshotReports implements Function<ActivityOptions, Consumer<OperationReport>> {

  private @Nullable String id;

  /** The run is at that one now. */
  void about(String snapshot) {
    id = snapshot;
  }

  @Override
  public Consumer<OperationReport> apply(ActivityOptions options) {
    SnapshotActivities activities = Workflow.newActivityStub(SnapshotActivities.class, options);
    return report -> activities.report(new ReportRequest(id, report));
  }
}
