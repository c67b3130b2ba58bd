package dev.sluice.activities.application;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.manifest.application.VersionManifests;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Points the Service of the application, or of the colour, at the JobManager of a version. What
 * tells its pods is read from the Deployment of that JobManager and from nothing else. Blocks.
 */
final class ServiceCutOver {

  private final VersionReader reader;
  private final VersionRenderer renderer;
  private final KubernetesClient client;

  ServiceCutOver(KubernetesClient client, VersionReader reader, VersionRenderer renderer) {
    this.client = client;
    this.reader = reader;
    this.renderer = renderer;
  }

  /**
   * @param window no write begins after it
   */
  void cutOver(VersionTarget target, EffectWindow window) {
    VersionObjects objects = new VersionObjects(client, target.application());
    VersionManifests wanted = renderer.render(target, selector(target));
    Service there = objects.staying(wanted.generic());
    Service after = there;
    if (there == null) {
      after = objects.apply(wanted.generic(), window);
    } else if (!isSame(there, wanted.generic())) {
      after = objects.edit(there, it -> pointed(it, wanted.generic()), window);
    }
    if (after == null || !isSame(after, wanted.generic())) {
      throw ApplicationFailure.newFailure(
          "Service %s was changed by somebody else meanwhile"
              .formatted(wanted.generic().getMetadata().getName()),
          FailureType.REFUSED);
    }
    Ingress ingress = wanted.ingress();
    if (ingress != null && !isSame(objects.staying(ingress), ingress)) {
      Ingress unused = objects.apply(ingress, window);
    }
  }

  private String selector(VersionTarget target) {
    Deployment jobManager = reader.deployment(target.cluster()).orElse(null);
    if (jobManager == null
        || !Ownership.isRunning(jobManager, target.application())
        || !VersionObjects.isOf(jobManager, target.version())) {
      throw VersionOutdated.failure(
          "version %s has no JobManager".formatted(target.version().display()));
    }
    String selector = VersionObjects.podSelector(jobManager);
    if (selector == null) {
      throw VersionOutdated.failure(
          "Deployment %s does not say how its pods are selected"
              .formatted(jobManager.getMetadata().getName()));
    }
    return selector;
  }

  private static boolean isSame(Service there, Service wanted) {
    return Objects.equals(there.getSpec().getSelector(), wanted.getSpec().getSelector())
        && numbers(there).equals(numbers(wanted));
  }

  private static List<String> numbers(Service service) {
    return service.getSpec().getPorts().stream()
        .map(port -> port.getName() + ":" + port.getPort())
        .sorted()
        .toList();
  }

  private static Service pointed(Service there, Service wanted) {
    Service changed =
        there.edit().editSpec().withSelector(wanted.getSpec().getSelector()).endSpec().build();
    List<ServicePort> ports = wanted.getSpec().getPorts();
    if (!numbers(there).equals(numbers(wanted))) {
      changed.getSpec().setPorts(ports);
    }
    return changed;
  }

  /** What others add to an Ingress stays. */
  private static boolean isSame(@Nullable Ingress there, Ingress wanted) {
    return there != null && rules(there).containsAll(rules(wanted));
  }

  private static List<String> rules(Ingress ingress) {
    return ingress.getSpec().getRules().stream()
        .filter(rule -> rule.getHttp() != null)
        .flatMap(
            rule ->
                rule.getHttp().getPaths().stream()
                    .map(path -> path.getBackend().getService())
                    .filter(service -> service != null && service.getPort() != null)
                    .map(
                        service ->
                            "%s %s %s"
                                .formatted(
                                    rule.getHost(),
                                    service.getName(),
                                    service.getPort().getNumber())))
        .toList();
  }
}
