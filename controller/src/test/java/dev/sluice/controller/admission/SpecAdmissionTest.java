package dev.sluice.controller.admission;

import static dev.sluice.controller.admission.ReviewJson.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.deployment.DeploymentCheck;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  private final SpecAdmission admission = admission(DefaultConfiguration.NONE, any -> true);

  private static SpecAdmission admission(
      DefaultConfiguration defaults, Predicate<String> namespaces) {
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

  private Optional<Verdict> verdict(String review) {
    return admission.verdict(ReviewJson.read(review));
  }

  private List<String> violations(String review) {
    return verdict(review).orElseThrow().violations().stream().map(Violation::toString).toList();
  }

  @Test
  void a_valid_spec_is_allowed_without_a_word() {
    assertThat(verdict(ReviewJson.create(VALID))).contains(new Verdict(List.of(), List.of()));
  }

  @Test
  void an_invalid_spec_is_refused_with_each_path_whether_new_or_changed() {
    String invalid = INVALID.replace("serviceAccount: flink", "mode: native");

    for (String review : List.of(ReviewJson.create(invalid), ReviewJson.update(VALID, invalid))) {
      assertThat(String.join(" ", violations(review)))
          .contains("spec.job.parallelism: must be at least 1, but is 0", "spec.serviceAccount");
    }
  }

  @Test
  void a_refusal_is_told_as_the_API_server_tells_its_own() {
    Review review = ReviewJson.read(ReviewJson.create(INVALID));

    Status status = review.answer(admission.verdict(review)).getResponse().getStatus();

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

    assertThat(
            violations(
                ReviewJson.update(
                    deployed,
                    deployed.replace("\"image\":", "\"mode\":\"standalone\",\"image\":"))))
        .anyMatch(it -> it.startsWith("spec.mode: cannot be changed from native to standalone"));
  }

  @Test
  void the_default_configuration_of_now_counts() {
    SpecAdmission strict =
        admission(DefaultConfiguration.parse("kubernetes.cluster-id: mine"), any -> true);

    assertThat(strict.verdict(ReviewJson.read(ReviewJson.create(VALID))).orElseThrow().violations())
        .anyMatch(it -> it.path().equals("spec.flinkConfiguration.kubernetes.cluster-id"));
  }

  @Test
  void what_has_no_effect_is_a_warning() {
    Verdict verdict =
        verdict(
                ReviewJson.create(
                    VALID.replace(
                        "image: flink:1.20",
                        "image: flink:1.20\n  flinkConfiguration: {kubernetes.operator.reconcile.interval: 15 s}")))
            .orElseThrow();

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.warnings())
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration.kubernetes.operator.reconcile.interval: ");
  }

  static Stream<Arguments> unchecked() {
    String labels = "labels: {team: a}";
    String unreadable = VALID.replace("{memory: 2048m, cpu: 1}", "{memory: [1], cpu: 1}");
    return Stream.of(
        Arguments.of(
            "a finalizer goes",
            ReviewJson.update(INVALID.replace(labels, "finalizers: [a/b]"), INVALID)),
        Arguments.of(
            "a request by annotation",
            ReviewJson.update(
                INVALID, INVALID.replace(labels, "annotations: {sluice.dev/abort: now}"))),
        Arguments.of("unreadable, and unchanged", ReviewJson.update(unreadable, unreadable)),
        Arguments.of(
            "it is being deleted",
            ReviewJson.update(
                VALID, INVALID.replace(labels, "deletionTimestamp: 2026-01-01T00:00:00Z"))),
        Arguments.of(
            "Sluice writes it",
            update(request -> request.putObject("userInfo").put("username", ME))),
        Arguments.of("status", update(request -> request.put("subResource", "status"))),
        Arguments.of("scale", update(request -> request.put("subResource", "scale"))),
        Arguments.of("DELETE", ReviewJson.of("DELETE", yaml(INVALID), null, request -> {})),
        Arguments.of(
            "another kind",
            ReviewJson.create(INVALID.replace("kind: FlinkDeployment", "kind: FlinkPipeline"))));
  }

  private static String update(Consumer<ObjectNode> more) {
    return ReviewJson.of("UPDATE", yaml(INVALID), yaml(VALID), more);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unchecked")
  void the_rules_do_not_count(String why, String review) {
    assertThat(verdict(review)).isEmpty();
  }

  @Test
  void a_namespace_that_is_not_watched_is_left_to_who_watches_it() {
    Review review = ReviewJson.read(ReviewJson.create(INVALID));

    assertThat(admission(DefaultConfiguration.NONE, "other"::equals).verdict(review)).isEmpty();
    assertThat(admission(DefaultConfiguration.NONE, "streams"::equals).verdict(review)).isPresent();
  }

  @Test
  void a_status_that_cannot_be_read_is_no_fault_of_the_spec() {
    ObjectNode broken = yaml(VALID);
    broken.putObject("status").putObject("reconciliationStatus").put("lastReconciledSpec", "{");

    Verdict verdict =
        verdict(ReviewJson.update(VALID.replace("1.20", "1.19"), broken.toString())).orElseThrow();

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.warnings())
        .singleElement()
        .asString()
        .startsWith("status.reconciliationStatus.lastReconciledSpec: cannot be read");
  }

  @Test
  void what_the_controller_could_not_read_is_refused_with_its_field() {
    String unreadable = VALID.replace("{memory: 2048m, cpu: 1}", "{memory: [1], cpu: 1}");

    assertThat(violations(ReviewJson.create(unreadable)))
        .singleElement()
        .asString()
        .startsWith("spec: cannot be read: ")
        .contains("[\"memory\"]");
  }

  @Test
  void of_very_many_mistakes_the_first_are_named() {
    List<Violation> many =
        IntStream.range(0, 100)
            .mapToObj(it -> new Violation("spec.field" + it, "is wrong"))
            .toList();
    Review review = ReviewJson.read(ReviewJson.create(INVALID));

    Status status =
        review.answer(Optional.of(new Verdict(many, List.of()))).getResponse().getStatus();

    assertThat(status.getMessage())
        .contains("spec.field19: is wrong; and 80 more")
        .doesNotContain("field20");
    assertThat(status.getDetails().getCauses()).hasSize(20);
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
