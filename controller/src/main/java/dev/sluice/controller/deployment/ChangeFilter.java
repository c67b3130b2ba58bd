package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.status.Changes;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;

/** Which updates of a resource lead to a reconciliation: {@link Changes}. */
public final class ChangeFilter implements OnUpdateFilter<FlinkDeployment> {

  @Override
  public boolean accept(FlinkDeployment now, FlinkDeployment before) {
    return !Changes.lookedAt(now, now.getStatus())
        .equals(Changes.lookedAt(before, before.getStatus()));
  }
}
