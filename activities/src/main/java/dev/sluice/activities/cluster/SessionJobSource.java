package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which FlinkSessionJobs a session cluster has. */
@FunctionalInterface
public interface SessionJobSource {

  /** No cluster has any: no resource of that kind is known. */
  SessionJobSource NONE = cluster -> List.of();

  /** Those that exist, whether or not they run. Blocks for a call to the API server at most. */
  List<SessionJob> of(ClusterRef cluster);

  /**
   * One FlinkSessionJob.
   *
   * @param name of the resource
   * @param jobId of the job that it runs; null while it runs none
   */
  record SessionJob(String name, @Nullable String jobId) {}
}
