package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.Collection;
import java.util.Optional;

/** Where the REST API of a cluster that is there answers. */
public final class RestPort {

  private RestPort() {}

  /**
   * The port of its Service {@code <name>-rest}: while a job is stopped for an upgrade, the spec
   * may already name another one. Empty when there is no such Service of the resource.
   *
   * @param services the informer's
   */
  public static Optional<Integer> of(ResourceRef resource, Collection<Service> services) {
    return services.stream()
        .filter(service -> service.getMetadata().getName().equals(resource.name() + "-rest"))
        .filter(service -> service.getMetadata().getDeletionTimestamp() == null)
        .filter(service -> Ownership.of(service, resource) == Ownership.OURS)
        .flatMap(service -> service.getSpec().getPorts().stream())
        .findFirst()
        .map(ServicePort::getPort);
  }
}
