package dev.sluice.controller.sessionjob;

import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.status.Changes;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/** Which updates of a session job lead to a reconciliation: {@link Changes}, and another job. */
public final class SessionJobChangeFilter implements OnUpdateFilter<FlinkSessionJob> {

  @Override
  public boolean accept(FlinkSessionJob now, FlinkSessionJob before) {
    return !Changes.lookedAt(now, now.getStatus())
            .equals(Changes.lookedAt(before, before.getStatus()))
        || !Objects.equals(now.getStatus().submission(), before.getStatus().submission());
  }
}
