package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBackend;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the Ingress of a parent, which its controller writes, points at the live child. */
final class IngressWait {

  private static final ResourceType TYPE =
      new ResourceType("networking.k8s.io", "v1", "Ingress", "ingresses");

  private final CustomResources resources;
  private final BlueGreenStore store;

  IngressWait(KubernetesClient client, BlueGreenStore store) {
    this.resources = new CustomResources(client);
    this.store = store;
  }

  /** Blocks for two calls. */
  ProbeResult<Void> look(ResourceRef parent, Color live) {
    if (store.read(parent).getSpec().ingress() == null) {
      return ProbeResult.done(null);
    }
    Optional<Ingress> ingress =
        resources.find(TYPE, parent.namespace(), parent.name(), Ingress.class);
    if (ingress.isEmpty()) {
      return ProbeResult.notYet("Ingress " + parent.display() + " does not exist yet");
    }
    String wanted = live.child(parent.name()) + "-rest";
    List<String> services = services(ingress.get()).toList();
    return !services.isEmpty() && services.stream().allMatch(wanted::equals)
        ? ProbeResult.done(null)
        : ProbeResult.notYet(
            "Ingress %s points at %s, not at %s yet"
                .formatted(parent.display(), String.join(", ", services), wanted));
  }

  private static Stream<String> services(Ingress ingress) {
    return Stream.concat(
            Stream.ofNullable(ingress.getSpec().getDefaultBackend()),
            Objects.requireNonNullElse(ingress.getSpec().getRules(), List.<IngressRule>of())
                .stream()
                .flatMap(rule -> Stream.ofNullable(rule.getHttp()))
                .flatMap(http -> http.getPaths().stream())
                .map(path -> path.getBackend()))
        .map(IngressBackend::getService)
        .filter(Objects::nonNull)
        .map(service -> service.getName());
  }
}
