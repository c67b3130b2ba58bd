package dev.sluice.activities.resource;

import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Function;

/**
 * Reads a resource, decides from it and writes; when somebody else wrote in between (the controller
 * its conditions, say), decides again from what is there then.
 */
final class ConflictRetry {

  private static final int TRIES = 5;
  private static final int CONFLICT = 409;

  private final Resources resources;

  ConflictRetry(Resources resources) {
    this.resources = resources;
  }

  /**
   * @param step reads only its argument, and writes with {@link WorkflowStatusWriter}
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   * @throws KubernetesClientException as the last try failed
   */
  <T> T then(ResourceRef ref, Function<FlinkDeployment, T> step) {
    for (int tries = 1; ; tries++) {
      try {
        return step.apply(resources.get(ref));
      } catch (KubernetesClientException failed) {
        if (failed.getCode() != CONFLICT || tries == TRIES) {
          throw failed;
        }
      }
    }
  }
}
