package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Ingress of a FlinkDeployment is changed in place: Apache's operator restarts the job. */
class IngressIT extends ReconcilerScenario {

  @Test
  void an_Ingress_is_made_changed_and_removed_while_the_job_goes_on() {
    given_generation_1_is_deployed();
    String run = runId();

    template("{{name}}.example.com");
    soon().until(() -> host().equals("orders.example.com"));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));

    merge("{\"spec\":{\"ingress\":{\"template\":\"b.example.com\",\"labels\":{\"team\":\"a\"}}}}");
    soon().until(() -> host().equals("b.example.com"));
    assertThat(there().getMetadata().getLabels()).containsEntry("team", "a");

    merge("{\"spec\":{\"ingress\":{\"labels\":null}}}");
    soon().until(() -> !there().getMetadata().getLabels().containsKey("team"));

    merge("{\"spec\":{\"ingress\":null}}");
    soon().until(() -> there() == null);
    soon().until(() -> condition("Ready").equals("True/UpToDate/5"));
    assertThat(runId()).isEqualTo(run);
    assertThat(resource().getStatus().observedGeneration()).isEqualTo(5);
    assertThat(events("SpecChanged")).isEmpty();
    assertThat(events("IngressChanged")).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void what_somebody_else_changed_is_put_right_and_what_they_added_stays() {
    given_an_Ingress();

    ingress()
        .edit(
            it ->
                new IngressBuilder(it)
                    .editMetadata()
                    .addToAnnotations("example.com/added", "theirs")
                    .endMetadata()
                    .editSpec()
                    .editFirstRule()
                    .withHost("evil.example.com")
                    .endRule()
                    .endSpec()
                    .build());

    soon().until(() -> host().equals("orders.example.com"));
    assertThat(there().getMetadata().getAnnotations()).containsEntry("example.com/added", "theirs");
    soon().until(() -> !events("IngressChanged").isEmpty());
  }

  @Test
  void what_somebody_else_deleted_or_took_our_labels_from_is_there_again() {
    given_an_Ingress();
    String first = there().getMetadata().getUid();

    ingress().delete();
    soon().until(() -> there() != null && !first.equals(there().getMetadata().getUid()));

    ingress()
        .edit(
            it -> new IngressBuilder(it).editMetadata().withLabels(Map.of()).endMetadata().build());
    soon().until(() -> there().getMetadata().getLabels().containsKey("sluice.dev/name"));
  }

  @Test
  void an_Ingress_of_somebody_else_is_left_alone_until_it_is_gone() {
    given_generation_1_is_deployed();
    Ingress theirs = foreign(List.of());
    api.client().resource(theirs).create();

    template("{{name}}.example.com");

    soon().until(() -> condition("Stalled").equals("True/NameTaken/2"));
    assertThat(message("Stalled")).contains("Ingress orders has no owner");
    assertThat(condition("Ready")).isEqualTo("True/UpToDate/2");
    assertThat(host()).isEqualTo("theirs.example.com");
    soon().until(() -> !events("NameTaken").isEmpty());

    ingress().delete();
    template("{{name}}.example.com/");
    soon().until(() -> host().equals("orders.example.com"));
    soon().until(() -> condition("Stalled").startsWith("False/"));
  }

  @Test
  void one_that_Apaches_operator_left_is_taken_over() {
    given_generation_1_is_deployed();
    OwnerReference deployment =
        new OwnerReferenceBuilder()
            .withApiVersion("apps/v1")
            .withKind("Deployment")
            .withName(NAME)
            .withUid("0a1b2c3d-0000-4000-8000-00000000000d")
            .withController(true)
            .withBlockOwnerDeletion(true)
            .build();
    api.client().resource(foreign(List.of(deployment))).create();

    template("{{name}}.example.com");

    soon().until(() -> host().equals("orders.example.com"));
    assertThat(there().getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getUid)
        .contains(uid());
  }

  @Test
  void what_Kubernetes_refuses_is_told_and_the_job_goes_on() {
    given_generation_1_is_deployed();

    template("10.1.2.3"); // no name, as the API server knows

    soon().until(() -> condition("Stalled").equals("True/Refused/2"));
    assertThat(message("Stalled")).contains("must be a DNS name");
    assertThat(condition("Ready")).isEqualTo("True/UpToDate/2");
    assertThat(there()).isNull();
  }

  private void given_an_Ingress() {
    given_generation_1_is_deployed();
    template("{{name}}.example.com");
    soon().until(() -> host().equals("orders.example.com"));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
  }

  private void template(String template) {
    merge("{\"spec\":{\"ingress\":{\"template\":\"" + template + "\"}}}");
  }

  private Ingress foreign(List<OwnerReference> owners) {
    return new IngressBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(NAME)
        .withOwnerReferences(owners)
        .endMetadata()
        .withNewSpec()
        .withNewDefaultBackend()
        .withNewService()
        .withName("theirs")
        .withNewPort()
        .withNumber(80)
        .endPort()
        .endService()
        .endDefaultBackend()
        .addNewRule()
        .withHost("theirs.example.com")
        .endRule()
        .endSpec()
        .build();
  }

  private Resource<Ingress> ingress() {
    return api.client().network().v1().ingresses().inNamespace(namespace).withName(NAME);
  }

  private Ingress there() {
    return ingress().get();
  }

  private String uid() {
    return resource().getMetadata().getUid();
  }

  private String host() {
    Ingress there = there();
    return there == null ? "" : there.getSpec().getRules().get(0).getHost();
  }
}
