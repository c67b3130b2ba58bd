package dev.sluice.activities.bluegreen;

import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/**
 * An exactly-once cut-over from blue to green that was begun. Validation refuses a new one, so the
 * transition is begun as {@code duplicate}, and its status then names the other kind.
 */
abstract class CutOverScenario extends BlueGreenScenario {

  static final String PATH = "s3://bucket/savepoint-ab12cd-1";

  @BeforeEach
  void blueIsLiveAndTheOptionIsSwitchedOn() {
    blueIsLive();
    apply(image("flink:2.3"));
    apply(job(job -> job.withEntryClass("dev.Job")));
    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);
    apply(spec -> spec.withConfiguration(Map.of(BlueGreenOptions.CUT_OVER, "exactly-once")));
    itsTransitionIsOfThatKind(BlueGreenState.TRANSITIONING_TO_GREEN);
  }

  void itsTransitionIsOfThatKind(BlueGreenState state) {
    client
        .resource(parent())
        .subresource("status")
        .edit(
            it -> {
              FlinkBlueGreenDeploymentStatus status = it.getStatus();
              it.setStatus(
                  status
                      .withBlueGreenState(state)
                      .withTransition(
                          status
                              .transition()
                              .withGeneration(it.getMetadata().getGeneration())
                              .withCutOver(CutOver.EXACTLY_ONCE)));
              return it;
            });
  }

  @Nullable FlinkSessionJob jobOfGreen() {
    return client
        .resources(FlinkSessionJob.class)
        .inNamespace(namespace)
        .withName("orders-green")
        .get();
  }

  /** Green's session cluster is made, and its controller says that it is ready. */
  void greenIsPrepared() {
    activities.applyChild(child(Color.GREEN, null));
    ready(Color.GREEN);
    flink.taskManagers = 1;
  }

  /** Its controller has suspended the job, which has left that. */
  void blueIsSuspended(String path) {
    says(Color.BLUE, "True", "Suspended");
    childStatus(Color.BLUE, Map.of("recordedState", Map.of("type", "Savepoint", "path", path)));
  }

  Taken stopped() {
    watcher.between(() -> blueIsSuspended(PATH));
    return activities.stopLive(savepoint(Color.BLUE));
  }

  /** The new job runs, and its controller says so. */
  void greenRuns() {
    greenIsPrepared();
    Taken unused = stopped();
    activities.applyChild(child(Color.GREEN, uid(Color.GREEN)));
    jobOfGreenSays("UpToDate");
  }

  /** Its controller says that it is ready, for that reason. */
  void jobOfGreenSays(String reason) {
    FlinkSessionJob job = jobOfGreen();
    Object status = runs(job.getMetadata().getGeneration(), "True", reason);
    client
        .resource(job)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
  }
}
