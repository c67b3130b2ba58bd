package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.deployment.FlinkDeployment;

/** Stored resources for tests of other packages. */
public final class Stored {

  private Stored() {}

  public static StoredResource of(FlinkDeployment resource) {
    return new StoredDeployment(resource);
  }
}
