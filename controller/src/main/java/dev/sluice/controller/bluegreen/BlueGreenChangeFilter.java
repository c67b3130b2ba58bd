package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.status.Changes;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which updates of a FlinkBlueGreenDeployment lead to a reconciliation: {@link Changes}, and what
 * its workflow says of the children.
 */
public final class BlueGreenChangeFilter implements OnUpdateFilter<FlinkBlueGreenDeployment> {

  @Override
  public boolean accept(FlinkBlueGreenDeployment now, FlinkBlueGreenDeployment before) {
    return !lookedAt(now).equals(lookedAt(before));
  }

  private static List<@Nullable Object> lookedAt(FlinkBlueGreenDeployment resource) {
    FlinkBlueGreenDeploymentStatus status = resource.getStatus();
    List<@Nullable Object> all =
        new ArrayList<>(Changes.lookedAt(resource, new BlueGreenStatusView(status)));
    all.add(status.live());
    all.add(status.transition());
    all.add(status.givenUp());
    return all;
  }

  /** The same of an update of a child: what is shown of it, and whether it goes. */
  static boolean concernsParent(FlinkDeployment now, FlinkDeployment before) {
    return !shown(ShownChild.Part.of(now)).equals(shown(ShownChild.Part.of(before)));
  }

  /** The same of the job on a session cluster. */
  static boolean concernsParent(FlinkSessionJob now, FlinkSessionJob before) {
    return !shown(ShownChild.Part.of(now)).equals(shown(ShownChild.Part.of(before)));
  }

  private static List<@Nullable Object> shown(ShownChild.Part child) {
    ObjectMeta metadata = child.metadata();
    List<@Nullable Object> all = new ArrayList<>();
    all.add(metadata.getUid());
    all.add(metadata.getGeneration());
    all.add(metadata.getDeletionTimestamp());
    all.add(metadata.getOwnerReferences());
    all.add(child.status().jobStatus());
    all.add(child.status().conditions());
    return all;
  }
}
