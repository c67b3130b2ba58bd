package dev.sluice.controller.application;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.controller.status.Changes;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which updates of an application lead to a reconciliation: {@link Changes}, and what its workflow
 * says of its versions.
 */
public final class ApplicationChangeFilter implements OnUpdateFilter<FlinkApplication> {

  @Override
  public boolean accept(FlinkApplication now, FlinkApplication before) {
    return !lookedAt(now).equals(lookedAt(before));
  }

  private static List<@Nullable Object> lookedAt(FlinkApplication resource) {
    List<@Nullable Object> all =
        new ArrayList<>(
            Changes.lookedAt(resource, new ApplicationStatusView(resource.getStatus())));
    all.add(resource.getStatus().phase());
    all.add(resource.getStatus().deployment());
    all.add(resource.getStatus().deployHash());
    return all;
  }
}
