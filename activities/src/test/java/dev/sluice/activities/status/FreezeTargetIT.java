package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Quotas;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.model.Observation;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreezeTargetIT extends ActivitiesScenario {

  @Test
  void aTargetIsFrozenWithoutMakingAnythingOfItsCluster() {
    FreezeResult result = freeze(1);

    assertThat(result)
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> {
              assertThat(frozen.target()).isEqualTo(newest());
              assertThat(frozen.summary()).isEqualTo("flink:2.2, parallelism 2");
            });
    assertThat(read().getStatus().lastReconciled().generation()).isEqualTo(1);
    assertThat(admin.apps().deployments().inNamespace(namespace).list().getItems()).isEmpty();
    assertThat(admin.services().inNamespace(namespace).list().getItems()).isEmpty();
    assertThat(configMaps()).doesNotContain("flink-config-orders");
  }

  @Test
  void freezingAgainAnswersTheSameAndWritesNothing() {
    FreezeResult first = freeze(1);
    String version = version();

    assertThat(freeze(1)).isEqualTo(first);
    assertThat(version()).isEqualTo(version);
  }

  @Test
  void aSpecThatChangedSinceItWasPlannedForIsNotFrozen() {
    change(spec -> spec.withImage("flink:2.3"));

    assertThat(freeze(1)).isEqualTo(new FreezeResult.Changed(2));
    assertThat(read().getStatus().reconciliationStatus()).isNull();
  }

  @Test
  void aSpecThatChangedAfterItWasFrozenDoesNotMatterToARepeatedCall() {
    FreezeResult first = freeze(1);
    change(spec -> spec.withImage("flink:2.3"));

    assertThat(freeze(1)).isEqualTo(first);
    assertThat(freeze(2))
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> assertThat(frozen.target().generation()).isEqualTo(2));
  }

  /** A run that was reset plans once more for a status that has gone on since. */
  @Test
  void whatWasPlannedForAnEarlierStatusIsNotFrozen() {
    freeze(1);
    recordState();
    String version = version();

    assertThat(failure(() -> activities.freezeTarget(Reports.freeze(ref, 1, false))))
        .isEqualTo(FailureType.OUTDATED);
    assertThat(version()).isEqualTo(version);
  }

  @Test
  void anInvalidSpecNeverBecomesTheTarget() {
    freeze(1);
    change(
        spec ->
            spec.withConfiguration(spec.configuration().with("kubernetes.cluster-id", "other")));

    assertThat(freeze(2))
        .isInstanceOfSatisfying(
            FreezeResult.Invalid.class,
            invalid ->
                assertThat(invalid.problem())
                    .startsWith("spec.flinkConfiguration.kubernetes.cluster-id: "));
    assertThat(read().getStatus().lastReconciled().generation()).isEqualTo(1);
    assertThat(read().getStatus().operation().targetGeneration()).isEqualTo(1);
  }

  /** By the definition, by rendering, or by a dry run of the objects and of a TaskManager pod. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // the definition, and what the rendered objects need
        "imagePullPolicy: always | imagePullPolicy",
        "image: 'flink :1.20' | spec.image",
        "image: null, flinkConfiguration: {kubernetes.container.image.ref: 'flink: 2.2'} | image",
        "flinkConfiguration: {kubernetes.taskmanager.tolerations: 'key:a,tolerationSeconds:x'} | kubernetes.taskmanager.tolerations",
        "podTemplate: {spec: {containers: [null]}} | podTemplate is not a valid Pod: wrong at .spec.containers[0]",
        "podTemplate: {spec: {containers: [{name: a, image: 'agent :1'}]}} | podTemplate.spec.containers[",
        "taskManager: {podTemplate: {spec: {volumes: [{name: v, emptyDir: {sizeLimit: big}}]}}} | sizeLimit",
        // a dry run of the JobManager, its Services and a TaskManager pod
        "flinkConfiguration: {kubernetes.jobmanager.labels: 'team:a b'} | labels",
        "flinkConfiguration: {kubernetes.rest-service.labels: 'team:a b'} | metadata.labels",
        "flinkConfiguration: {kubernetes.taskmanager.labels: 'team:a b'} | metadata.labels",
        "flinkConfiguration: {blob.server.port: '70000'} | .port",
        "podTemplate: {spec: {containers: [{name: flink-main-container, volumeMounts: [{name: nowhere, mountPath: /data}]}]}} | nowhere",
        "podTemplate: {spec: {containers: [{name: a, image: b, env: [{name: A, value: '1'}, {name: A, value: '2'}]}]}} | duplicate",
        "taskManager: {podTemplate: {spec: {containers: [{name: a, image: b, volumeMount: []}]}}} | volumeMount",
        "taskManager: {resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}} | memory",
      })
  void aSpecOfAWrongShapeNeverBecomesTheTarget(String patch, String field) {
    String refusal = refusal("spec: {%s}".formatted(patch));

    assertThat(refusal).contains(field);
    assertThat(read().getStatus().reconciliationStatus()).isNull();
  }

  /** What is wrong with the resource when that is merged into it. */
  private String refusal(String patch) {
    try {
      admin
          .resource(read())
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              Serialization.asJson(Serialization.unmarshal(patch, JsonNode.class)));
    } catch (KubernetesClientException refused) {
      return refused.getMessage();
    }
    return ((FreezeResult.Invalid) freeze(2)).problem();
  }

  @Test
  void aTaskManagerPodForWhichThereIsNoQuotaNowIsAWarning() {
    Quotas.usedUp(admin, namespace, "pods");

    assertThat(freeze(1))
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> assertThat(frozen.warning()).contains("TaskManager", "exceeded quota: none"));
    assertThat(admin.pods().inNamespace(namespace).list().getItems()).isEmpty();
  }

  @Test
  void aQuotaThatIsUsedUpMayPassAndLeavesNothingFrozen() {
    Quotas.usedUp(admin, namespace, "count/deployments.apps");

    assertThatThrownBy(() -> freeze(1))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
              assertThat(failure.isNonRetryable()).isFalse();
              assertThat(failure.getOriginalMessage()).contains("exceeded quota: none");
            });
    assertThat(read().getStatus().reconciliationStatus()).isNull();
  }

  private void somebodyElseTakesTheName() {
    admin
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("flink-config-orders")
                .endMetadata()
                .build())
        .create();
  }

  /** A job that is not healthy runs: it is not cancelled for what cannot be created then. */
  @Test
  void aJobIsRestartedOnlyIfItsClusterCanBeCreatedAgain() {
    freeze(1);
    somebodyElseTakesTheName();
    admin
        .resource(read())
        .editStatus(
            resource -> {
              FlinkDeploymentStatus status = resource.getStatus();
              resource.setStatus(
                  status.withReconciliationStatus(
                      status.reconciliationStatus().withState(ReconciliationState.DEPLOYED)));
              return resource;
            });

    assertThat(failure(() -> recover(RecoveryCause.UNHEALTHY))).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(read().getStatus().recovery()).isNull();
    assertThat(recover(RecoveryCause.JOB_MANAGER_MISSING)).isInstanceOf(FreezeResult.Frozen.class);
  }

  private FreezeResult recover(RecoveryCause cause) {
    return activities.freezeDeployed(
        new FreezeDeployedRequest(
            Reports.of(ref, Reports.RECOVER, OperationState.RUNNING, "FreezeTarget", 1),
            true,
            null,
            null,
            null,
            new RecoveryStatus(1, null, cause),
            null,
            standing()));
  }

  private Observation.Target newest() {
    return new Observation.Target(
        1,
        Deployed.SPEC.job().upgradeMode(),
        null,
        Deployed.SPEC.flinkVersion(),
        Observation.StateOptions.DEFAULT,
        false,
        false,
        false);
  }

  private List<String> configMaps() {
    return admin.configMaps().inNamespace(namespace).list().getItems().stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }
}
