package dev.sluice.controller.admission;

import static dev.sluice.controller.admission.ReviewJson.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.admission.Answer.Outcome;
import dev.sluice.controller.deployment.DeploymentCheck;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rules say is in the tests of the rules; here is which of it counts. */
class SpecAdmissionTest {

  private static final String ME = "system:serviceaccount:sluice-system:sluice-worker";

  private static final String VALID =
      """
      apiVersion: flink.apache.org/v1beta1
      kind: FlinkDeployment
      metadata:
        name: orders
        generation: 3
        labels: {team: a}
      spec:
        image: flink:1.20
        flinkVersion: v1_20
        serviceAccount: flink
        jobManager: {resource: {memory: 2048m, cpu: 1}}
        taskManager: {resource: {memory: 2048m, cpu: 1}}
        job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
      """;

  private static final String INVALID = VALID.replace("parallelism: 2", "parallelism: 0");

  private final SpecAdmission admission = admission(DefaultConfiguration.NONE, Set.of());

  private static SpecAdmission admission(DefaultConfiguration defaults, Set<String> namespaces) {
    CheckedKind<FlinkDeployment> deployments =
        new CheckedKind<>(
            FlinkDeployment.class,
            it -> {
              var check = DeploymentCheck.of(it, defaults);
              return new Verdict(check.violations(), check.ignored());
            });
    return new SpecAdmission(
        List.of(deployments), namespaces, List.of(ME), new KubernetesSerialization());
  }

  private Answer answer(String review) {
    return admission.answer(ReviewJson.read(review));
  }

  private Answer update(String before, String after, Consumer<ObjectNode> more) {
    return answer(ReviewJson.of("UPDATE", yaml(after), yaml(before), more));
  }

  @Test
  void a_valid_spec_is_allowed_without_a_word() {
    assertThat(answer(ReviewJson.create(VALID))).isEqualTo(Answer.of(Outcome.ALLOWED));
  }

  @Test
  void an_invalid_spec_is_refused_with_each_path() {
    Answer answer =
        answer(ReviewJson.create(INVALID.replace("serviceAccount: flink", "mode: native")));

    assertThat(answer.outcome()).isEqualTo(Outcome.DENIED);
    assertThat(answer.violations())
        .extracting(Violation::path)
        .contains("spec.job.parallelism", "spec.serviceAccount");
  }

  @Test
  void a_change_is_checked_as_a_new_spec_is() {
    Answer answer = answer(ReviewJson.update(VALID, INVALID));

    assertThat(answer.outcome()).isEqualTo(Outcome.DENIED);
    assertThat(answer.why()).startsWith("spec.job.parallelism: must be at least 1, but is 0");
  }

  @Test
  void a_refusal_is_told_as_the_API_server_tells_its_own() {
    Review review = ReviewJson.read(ReviewJson.create(INVALID));

    Status status = admission.answer(review).to(review).getResponse().getStatus();

    assertThat(status.getCode()).isEqualTo(422);
    assertThat(status.getReason()).isEqualTo("Invalid");
    assertThat(status.getDetails().getKind()).isEqualTo("FlinkDeployment");
    assertThat(status.getDetails().getName()).isEqualTo("orders");
    assertThat(status.getDetails().getCauses())
        .extracting(StatusCause::getField)
        .containsExactly("spec.job.parallelism");
  }

  @Test
  void what_cannot_be_changed_once_deployed_is_refused() {
    String deployed = deployed(VALID);

    Answer answer =
        answer(
            ReviewJson.update(
                deployed, deployed.replace("\"image\":", "\"mode\":\"standalone\",\"image\":")));

    assertThat(answer.why()).contains("spec.mode: cannot be changed from native to standalone");
  }

  @Test
  void the_default_configuration_of_now_counts() {
    SpecAdmission strict =
        admission(DefaultConfiguration.parse("kubernetes.cluster-id: mine"), Set.of());

    assertThat(strict.answer(ReviewJson.read(ReviewJson.create(VALID))).why())
        .contains("spec.flinkConfiguration.kubernetes.cluster-id", "default configuration");
  }

  @Test
  void what_has_no_effect_is_a_warning() {
    Answer answer =
        answer(
            ReviewJson.create(
                VALID.replace(
                    "image: flink:1.20",
                    "image: flink:1.20\n  flinkConfiguration: {kubernetes.operator.reconcile.interval: 15 s}")));

    assertThat(answer.outcome()).isEqualTo(Outcome.ALLOWED);
    assertThat(answer.warnings())
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration.kubernetes.operator.reconcile.interval: ");
  }

  @Test
  void an_invalid_object_can_get_annotations_and_lose_its_finalizer() {
    String held = INVALID.replace("labels: {team: a}", "finalizers: [a/b]");

    assertThat(update(held, INVALID, request -> {}).outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(
            update(
                    INVALID,
                    INVALID.replace("labels: {team: a}", "annotations: {sluice.dev/abort: now}"),
                    request -> {})
                .outcome())
        .isEqualTo(Outcome.UNCHANGED);
  }

  @Test
  void an_object_that_is_being_deleted_can_be_changed_as_people_like() {
    Answer answer =
        answer(
            ReviewJson.update(
                VALID,
                INVALID.replace("labels: {team: a}", "deletionTimestamp: 2026-01-01T00:00:00Z")));

    assertThat(answer.outcome()).isEqualTo(Outcome.DELETING);
  }

  @Test
  void what_Sluice_writes_is_allowed() {
    Answer answer =
        update(VALID, INVALID, request -> request.putObject("userInfo").put("username", ME));

    assertThat(answer.outcome()).isEqualTo(Outcome.OWN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "scale", "finalizers"})
  void a_subresource_is_allowed(String subresource) {
    assertThat(update(VALID, INVALID, request -> request.put("subResource", subresource)).outcome())
        .isEqualTo(Outcome.FOREIGN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "CONNECT"})
  void another_operation_is_allowed(String operation) {
    assertThat(answer(ReviewJson.of(operation, yaml(INVALID), null, request -> {})).outcome())
        .isEqualTo(Outcome.FOREIGN);
  }

  @Test
  void another_kind_is_allowed() {
    Answer answer =
        answer(ReviewJson.create(INVALID.replace("kind: FlinkDeployment", "kind: FlinkPipeline")));

    assertThat(answer).isEqualTo(Answer.of(Outcome.FOREIGN));
  }

  @Test
  void a_namespace_that_is_not_watched_is_left_to_who_watches_it() {
    Review review = ReviewJson.read(ReviewJson.create(INVALID));

    assertThat(admission(DefaultConfiguration.NONE, Set.of("other")).answer(review).outcome())
        .isEqualTo(Outcome.FOREIGN);
    assertThat(admission(DefaultConfiguration.NONE, Set.of("streams")).answer(review).outcome())
        .isEqualTo(Outcome.DENIED);
  }

  @Test
  void a_status_that_cannot_be_read_is_no_fault_of_the_spec() {
    ObjectNode broken = yaml(VALID);
    broken.putObject("status").putObject("reconciliationStatus").put("lastReconciledSpec", "{");

    Answer answer = answer(ReviewJson.update(VALID.replace("1.20", "1.19"), broken.toString()));

    assertThat(answer.outcome()).isEqualTo(Outcome.ALLOWED);
    assertThat(answer.warnings())
        .singleElement()
        .asString()
        .startsWith("status.reconciliationStatus.lastReconciledSpec: cannot be read");
  }

  @Test
  void what_the_controller_could_not_read_is_refused_with_its_path() {
    Answer answer =
        answer(
            ReviewJson.create(VALID.replace("{memory: 2048m, cpu: 1}", "{memory: [1], cpu: 1}")));

    assertThat(answer.outcome()).isEqualTo(Outcome.DENIED);
    assertThat(answer.why()).startsWith("spec.jobManager.resource.memory: cannot be read: ");
  }

  @Test
  void what_cannot_be_read_can_still_lose_its_finalizer() {
    String unreadable = VALID.replace("{memory: 2048m, cpu: 1}", "{memory: [1], cpu: 1}");

    assertThat(answer(ReviewJson.update(unreadable, unreadable)).outcome())
        .isEqualTo(Outcome.UNCHANGED);
  }

  @Test
  void of_very_many_mistakes_the_first_are_named() {
    List<Violation> many =
        IntStream.range(0, 100)
            .mapToObj(it -> new Violation("spec.field" + it, "is wrong"))
            .toList();
    Answer answer = Answer.of(new Verdict(many, List.of()));

    assertThat(answer.why())
        .contains("spec.field19: is wrong; and 80 more")
        .doesNotContain("field20");
    assertThat(
            answer
                .to(ReviewJson.read(ReviewJson.create(INVALID)))
                .getResponse()
                .getStatus()
                .getDetails()
                .getCauses())
        .hasSize(20);
  }

  private static String deployed(String manifest) {
    FlinkDeployment resource = Serialization.unmarshal(manifest, FlinkDeployment.class);
    ObjectNode object = yaml(manifest);
    object
        .putObject("status")
        .putObject("reconciliationStatus")
        .put("lastReconciledSpec", new FrozenSpec(resource.getSpec(), 3, false).toJson())
        .put("state", "DEPLOYED");
    return object.toString();
  }
}
