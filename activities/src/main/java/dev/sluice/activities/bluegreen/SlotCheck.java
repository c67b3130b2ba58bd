package dev.sluice.activities.bluegreen;

import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.api.bluegreen.SessionTemplate;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;

/** Whether a session cluster without a job has the slots that one is to find there. */
final class SlotCheck {

  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final BlueGreenStore store;
  private final JobCheck jobs;
  private final FlinkRest flink;

  SlotCheck(BlueGreenStore store, JobCheck jobs, FlinkRest flink) {
    this.store = store;
    this.jobs = jobs;
    this.flink = flink;
  }

  /** The child, busy as long as slots are missing. Blocks. */
  ChildSeen look(ResourceRef parent, ChildSeen child) {
    if (!(child.phase() instanceof Phase.Prepared) || child.deleting()) {
      return child;
    }
    int needed = store.find(parent, child.color()).map(it -> needed(it.getSpec())).orElse(0);
    if (needed == 0) {
      return child;
    }
    try {
      ClusterOverview now = flink.within(ANSWER).overview(jobs.endpoint(parent, child.color()));
      return now.slotsTotal() >= needed
          ? child
          : busy(child, "%d of %d slots are there".formatted(now.slotsTotal(), needed));
    } catch (FlinkRestException silent) {
      return busy(child, "its JobManager does not answer");
    }
  }

  private static ChildSeen busy(ChildSeen child, String what) {
    return child.withPhase(new Phase.Busy("its session cluster: " + what));
  }

  /** So many start before a job asks for them; below Flink 1.19 a native cluster starts none. */
  private static int needed(FlinkDeploymentSpec spec) {
    if (spec.mode() == KubernetesDeploymentMode.STANDALONE) {
      return ClusterSize.of(spec).parallelism();
    }
    return SessionTemplate.startsEarly(spec.flinkVersion())
        ? FlinkConfiguration.readable(() -> spec.configuration().integer(SessionTemplate.MIN_SLOTS))
            .orElse(0)
        : 0;
  }
}
