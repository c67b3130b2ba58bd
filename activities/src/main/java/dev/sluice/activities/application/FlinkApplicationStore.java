package dev.sluice.activities.application;

import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationActivities.VersionRequest;
import dev.sluice.workflows.application.ApplicationStanding;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;

/** Reads applications from the API server. Every method blocks for one call. */
public final class FlinkApplicationStore {

  /** How the API server knows them. */
  static final ResourceType TYPE =
      new ResourceType(
          FlinkApplication.GROUP,
          FlinkApplication.VERSION,
          FlinkApplication.KIND,
          FlinkApplication.PLURAL);

  private final CustomResources resources;

  public FlinkApplicationStore(KubernetesClient client) {
    this.resources = new CustomResources(client);
  }

  /**
   * The application as it is now.
   *
   * @throws ApplicationFailure {@code ResourceGone}
   */
  StoredApplication read(ResourceRef ref) {
    return new StoredApplication(ref, resources.get(TYPE, ref, FlinkApplication.class));
  }

  /**
   * The same, where its status stands as it was planned for.
   *
   * @throws ApplicationFailure {@code Outdated}, {@code ResourceGone}
   */
  StoredApplication planned(VersionRequest request) {
    StoredApplication now = read(request.resource());
    ApplicationStanding standing = now.record().standing();
    if (!standing.equals(request.plannedFor())) {
      throw outdated(
          "the status says %s, which this was not planned for".formatted(display(standing)));
    }
    return now;
  }

  private static String display(ApplicationStanding standing) {
    return "%s with %s and %s"
        .formatted(
            standing.phase().wire().isEmpty() ? "nothing" : standing.phase(),
            standing.deployed() == null ? "nothing deployed" : standing.deployed().display(),
            standing.target() == null ? "no target" : "target " + standing.target().display());
  }

  static ApplicationFailure outdated(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, FailureType.OUTDATED);
  }
}
