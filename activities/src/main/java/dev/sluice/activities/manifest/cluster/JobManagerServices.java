package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Services in front of the JobManager. */
final class JobManagerServices {
  private static final String EXPOSED = "kubernetes.rest-service.exposed.type";

  private final ClusterTarget target;
  private final FlinkConfiguration configuration;
  private final FlinkPorts ports;

  JobManagerServices(ClusterTarget target, FlinkConfiguration configuration) {
    this.target = target;
    this.configuration = configuration;
    this.ports = FlinkPorts.of(configuration);
  }

  /**
   * {@code <name>-rest}, and without high availability the headless {@code <name>} at which
   * TaskManagers find the JobManager; with it they find the leader in its metadata. In standalone
   * mode both are always there, as with Apache's operator.
   */
  List<Service> render() {
    return HighAvailabilityMode.of(configuration).isOn() && !target.isStandalone()
        ? List.of(rest())
        : List.of(internal(), rest());
  }

  private Service internal() {
    return service(
            target.name(),
            "kubernetes.internal-service",
            List.of(port("jobmanager-rpc", ports.rpc()), port("blobserver", ports.blob())))
        .editSpec()
        .withClusterIP("None")
        .endSpec()
        .build();
  }

  private Service rest() {
    String exposed = configuration.getOrDefault(EXPOSED, "ClusterIP");
    boolean headless = exposed.equalsIgnoreCase("Headless_ClusterIP");
    ServicePort port =
        new ServicePortBuilder(port("rest", ports.rest()))
            .withTargetPort(new IntOrString(ports.restBind()))
            .build();
    return service(target.name() + "-rest", "kubernetes.rest-service", List.of(port))
        .editSpec()
        .withType(headless ? null : kubernetesName(exposed))
        .withClusterIP(headless ? "None" : null)
        .endSpec()
        .build();
  }

  private static String kubernetesName(String exposed) {
    return Stream.of("ClusterIP", "NodePort", "LoadBalancer")
        .filter(exposed::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    FlinkConfiguration.problem(
                        EXPOSED,
                        "must be ClusterIP, NodePort, LoadBalancer or Headless_ClusterIP, is '%s'"
                            .formatted(exposed))));
  }

  private ServiceBuilder service(String name, String optionPrefix, List<ServicePort> servicePorts) {
    Map<String, String> annotations = configuration.map(optionPrefix + ".annotations");
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(target.namespace())
        .withLabels(configuration.map(optionPrefix + ".labels"))
        .addToLabels(ClusterLabels.common(target))
        .withAnnotations(annotations.isEmpty() ? null : annotations)
        .endMetadata()
        .withNewSpec()
        .withSelector(ClusterLabels.of(Role.JOB_MANAGER, target))
        .withPorts(servicePorts)
        .endSpec();
  }

  private static ServicePort port(String name, int number) {
    return new ServicePortBuilder().withName(name).withPort(number).build();
  }
}
