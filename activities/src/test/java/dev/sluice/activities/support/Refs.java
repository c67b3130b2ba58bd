package dev.sluice.activities.support;

import dev.sluice.workflows.resource.ResourceRef;

/** References for tests that need just one. */
public final class Refs {

  public static final ResourceRef ORDERS =
      new ResourceRef(
          "FlinkDeployment", "default", "orders", "11111111-aaaa-bbbb-cccc-222222222222");

  private Refs() {}
}
