package dev.sluice.activities.kubernetes;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/** Reads FlinkDeployments from the API server, and only the very instance that was asked for. */
public final class Resources {

  private final KubernetesClient client;

  public Resources(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The resource as it is now.
   *
   * @throws ApplicationFailure {@code ResourceGone}
   */
  public FlinkDeployment get(ResourceRef ref) {
    return Optional.ofNullable(
            client
                .resources(FlinkDeployment.class)
                .inNamespace(ref.namespace())
                .withName(ref.name())
                .get())
        .filter(found -> ref.uid().equals(found.getMetadata().getUid()))
        .orElseThrow(() -> gone(ref));
  }

  /** The failure that says so. */
  public static ApplicationFailure gone(ResourceRef ref) {
    return ApplicationFailure.newNonRetryableFailure(
        "%s %s (uid %s) does not exist any more".formatted(ref.kind(), ref.display(), ref.uid()),
        FailureType.RESOURCE_GONE);
  }
}
