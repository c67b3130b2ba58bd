package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodTemplateRulesTest {
  private static final Resource SIZE = new Resource(1.0, "2g", null);
  private static final String BAD = "{spec: {volumes: [{name: Bad}]}}";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {serviceAccountName: ../x}} | .spec.serviceAccountName",
        "{spec: {imagePullSecrets: [{name: ok}, {name: Bad}]}} | .spec.imagePullSecrets[1].name",
        "{spec: {volumes: [{name: Bad}]}} | .spec.volumes[0].name",
        "{spec: {volumes: [{name: with.dot}]}} | .spec.volumes[0].name",
        "{spec: {volumes: [{emptyDir: {sizeLimit: lots}}]}} | .spec.volumes[0].emptyDir.sizeLimit",
        "{spec: {containers: [{name: Bad}]}} | .spec.containers[0].name",
        "{spec: {containers: [{image: a b}]}} | .spec.containers[0].image",
        "{spec: {containers: [{image: ''}]}} | .spec.containers[0].image",
        "{spec: {containers: [{env: [{name: A}, {name: 1B}]}]}} | .spec.containers[0].env[1].name",
        "{spec: {containers: [{env: [{name: 'A B'}]}]}} | .spec.containers[0].env[0].name",
        "{spec: {containers: [{env: [{name: ''}]}]}} | .spec.containers[0].env[0].name",
        "{spec: {containers: [{volumeMounts: [{name: B/d}]}]}} |"
            + " .spec.containers[0].volumeMounts[0].name",
        "{spec: {containers: [{resources: {requests: {memory: 2GB}}}]}} |"
            + " .spec.containers[0].resources.requests.memory",
        "{spec: {containers: [{resources: {limits: {cpu: 1e999}}}]}} |"
            + " .spec.containers[0].resources.limits.cpu",
        "{spec: {initContainers: [{name: Bad}]}} | .spec.initContainers[0].name",
        "{spec: {initContainers: [{image: a b}]}} | .spec.initContainers[0].image",
        "{metadata: {labels: {te am: a}}} | .metadata.labels",
        "{metadata: {labels: {team: a b}}} | .metadata.labels",
        "{metadata: {annotations: {a/b/c: x}}} | .metadata.annotations",
        "{spec: {overhead: {cpu: é}}} | ''",
      })
  void aNameThatKubernetesWouldRefuseIsReportedWithItsPath(String template, String path) {
    assertThat(Specs.paths(Specs.template(template))).containsExactly("spec.podTemplate" + path);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "text | ''",
        "{spec: text} | .spec",
        "{spec: {containers: {name: a}}} | .spec.containers",
        "{spec: {containers: [text]}} | .spec.containers[0]",
        "{spec: {containers: [{ports: [{containerPort: web}]}]}} |"
            + " .spec.containers[0].ports[0].containerPort",
        "{spec: {hostNetwork: perhaps}} | .spec.hostNetwork",
        "{metadata: {labels: [a]}} | .metadata.labels",
      })
  void whatIsNoPodIsReportedWithThePlaceOnly(String template, String path) {
    assertThat(Specs.messages(Specs.template(template)))
        .containsExactly(
            "spec.podTemplate" + path + ": must have the type that it has in a Kubernetes Pod");
  }

  @Test
  void anEmptyItemIsReported() {
    assertThat(Specs.messages(Specs.template("{spec: {containers: [{name: a}, null]}}")))
        .containsExactly("spec.podTemplate.spec.containers[1]: must not be empty. Remove the item");
  }

  @Test
  void anEmptyFieldIsAsGoodAsNone() {
    assertThat(Specs.messages(Specs.template("{spec: {containers: null, volumes: }}"))).isEmpty();
  }

  @Test
  void theTemplateOfTheJobManagerIsCheckedToo() {
    assertThat(
            Specs.paths(
                Specs.VALID.withJobManager(new JobManagerSpec(SIZE, null, 1, Specs.yaml(BAD)))))
        .containsExactly("spec.jobManager.podTemplate.spec.volumes[0].name");
  }

  @Test
  void theTemplateOfTheTaskManagersIsCheckedToo() {
    assertThat(
            Specs.paths(
                Specs.VALID.withTaskManager(
                    new TaskManagerSpec(SIZE, null, null, Specs.yaml(BAD)))))
        .containsExactly("spec.taskManager.podTemplate.spec.volumes[0].name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{apiVersion: v1, kind: Pod, metadata: {name: pod-template}}",
        "{metadata: {labels: {team: shop, version: 1}}}",
        "{spec: {containers: [{env: [{name: _A.b-c, value: x}]}]}}",
        "{spec: {containers: [{}, {name: sidecar, image: 'busybox:1.36'}]}}",
        "{spec: {containers: [{resources: {requests: {cpu: 1, memory: 1Gi}}}]}}",
        "{spec: {volumes: [{name: data, emptyDir: {sizeLimit: 1Gi}}]}}",
        "{spec: {fieldOfTheFuture: {a: [1, 2]}}}",
      })
  void aTemplateMayBeIncompleteAndNewerThanWeAre(String template) {
    assertThat(Specs.messages(Specs.template(template))).isEmpty();
  }
}
