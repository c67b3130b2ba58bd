package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;

/** Stored resources for tests of other packages. */
public final class Stored {

  private Stored() {}

  public static StoredResource of(FlinkDeployment resource) {
    return of(resource, DefaultConfiguration.NONE, StableAfter.NONE);
  }

  static StoredResource of(
      FlinkDeployment resource, DefaultConfiguration defaults, StableAfter stableAfter) {
    return new StoredDeployment(
        resource, defaults, new StoredJobResource.Starts(StartSnapshot.NONE, stableAfter));
  }
}
