package dev.sluice.activities.status;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.SpecRevision;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the spec that was stable until now, before the status forgets it. */
final class SpecLeft {

  private static final Logger LOG = LoggerFactory.getLogger(SpecLeft.class);

  private final SpecRevisions revisions;

  SpecLeft(SpecRevisions revisions) {
    this.revisions = revisions;
  }

  /**
   * Keeps it. The new one runs: it is not held up because the history of the old one cannot be
   * kept. Blocks for some calls to the API server.
   */
  void keep(ResourceType type, ResourceRef ref, StoredResource resource) {
    long frozen = resource.frozen().map(it -> it.target().generation()).orElse(0L);
    resource
        .stable()
        .filter(it -> !it.target().suspended() && it.target().generation() != frozen)
        .ifPresent(
            it -> {
              try {
                revisions.keep(type, ref, left(resource, it, frozen));
              } catch (ApplicationFailure | KubernetesClientException failed) {
                LOG.warn(
                    "{} cannot be rolled back to generation {}, which is not kept: {}",
                    ref.display(),
                    it.target().generation(),
                    failed.getMessage());
              }
            });
  }

  private static SpecRevision left(StoredResource resource, TargetSpec spec, long frozen) {
    boolean goesBack = resource.observed().phase() == Phase.ROLLING_BACK;
    return new SpecRevision(
        spec,
        goesBack ? null : state(resource, spec),
        goesBack && spec.target().generation() > frozen);
  }

  /** Null where the state was given up, or belongs to what is rolled back. */
  private static @Nullable StateRef state(StoredResource resource, TargetSpec spec) {
    RestorePoint recorded = resource.status().restorePoint();
    if (recorded == null) {
      return null;
    }
    boolean stateless = spec.target().upgradeMode() == UpgradeMode.STATELESS;
    StateRef left = recorded.leftByStable();
    return left instanceof StateRef.Empty && !stateless ? null : left;
  }
}
