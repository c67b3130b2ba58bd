package dev.sluice.activities.resource;

import dev.sluice.workflows.model.ResourceRef;

/** The resources of one kind. Asks the API server; every method blocks for one or two calls. */
public interface ResourceStore {

  /** The cluster that runs now; its configuration is by the generation of its Deployment. */
  RunningCluster running(ResourceRef ref);

  /** The cluster that is made, or to be made, from the frozen target. */
  RunningCluster target(ResourceRef ref);
}
