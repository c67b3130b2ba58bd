package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Labels;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Labels and annotations of Services are changed in place: Apache's operator restarts the job. */
class ServiceMetadataIT extends ReconcilerScenario {

  private static final String KEY = "kubernetes.rest-service.annotations";

  @Test
  void they_are_set_and_taken_away_while_the_job_goes_on() {
    given_generation_1_is_deployed();
    given_its_Service();
    String run = runId();
    Service before = there();

    configure(KEY, "dns:x.example.com,team:a");
    soon().until(() -> annotations().getOrDefault("dns", "").equals("x.example.com"));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    configure(KEY, "dns:y.example.com");
    soon().until(() -> annotations().getOrDefault("dns", "").equals("y.example.com"));
    assertThat(annotations()).doesNotContainKey("team").containsEntry("theirs", "stays");
    configure(KEY, null);
    soon().until(() -> !annotations().containsKey("dns"));

    assertThat(annotations()).isEqualTo(before.getMetadata().getAnnotations());
    assertThat(there().getSpec()).isEqualTo(before.getSpec());
    assertThat(runId()).isEqualTo(run);
    soon().until(() -> !events("ServiceChanged").isEmpty());
  }

  @Test
  void a_Service_of_somebody_else_is_left_alone() {
    given_generation_1_is_deployed();
    api.client().resource(service("00000000-0000-4000-8000-000000000001")).create();

    configure(KEY, "dns:x.example.com");

    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    assertThat(controller.writes()).noneMatch(write -> write.contains("services"));
  }

  private void configure(String key, String value) {
    merge(
        "{\"spec\":{\"flinkConfiguration\":{\"%s\":%s}}}"
            .formatted(key, value == null ? "null" : "\"" + value + "\""));
  }

  private void given_its_Service() {
    api.client().resource(service(resource().getMetadata().getUid())).create();
  }

  private Service service(String owner) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(NAME + "-rest")
        .withLabels(Map.of(Labels.APP, NAME, Labels.TYPE, Labels.TYPE_NATIVE))
        .addToAnnotations("theirs", "stays")
        .addNewOwnerReference()
        .withApiVersion(FlinkDeployment.API_VERSION)
        .withKind(FlinkDeployment.KIND)
        .withName(NAME)
        .withUid(owner)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .addNewPort()
        .withName("rest")
        .withPort(8081)
        .endPort()
        .endSpec()
        .build();
  }

  private Service there() {
    return api.client().services().inNamespace(namespace).withName(NAME + "-rest").get();
  }

  private Map<String, String> annotations() {
    return there().getMetadata().getAnnotations();
  }
}
