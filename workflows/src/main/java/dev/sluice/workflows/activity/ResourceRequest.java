package dev.sluice.workflows.activity;

import dev.sluice.workflows.model.ResourceRef;

/** What every request of an activity has: the resource that it is for. */
public interface ResourceRequest {

  /** The resource; a worker of another Kubernetes cluster refuses the request. */
  ResourceRef resource();
}
