package dev.sluice.api.deployment;

import static dev.sluice.api.common.DiffKind.IGNORE;
import static dev.sluice.api.common.DiffKind.SAVEPOINT_REDEPLOY;
import static dev.sluice.api.common.DiffKind.SCALE;
import static dev.sluice.api.common.DiffKind.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.SpecChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecDiffTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  private static FlinkDeploymentSpec spec(String yaml) {
    try {
      return YAML.readValue(yaml, FlinkDeploymentSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  private static SpecDiff diff(String from, String to) {
    return SpecDiff.between(spec(from), spec(to));
  }

  @ParameterizedTest(name = "native: {0} -> {1} is {3} at {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{image: a}|{image: b}|spec.image|UPGRADE",
        "{job: {parallelism: 1}}|{job: {parallelism: 2}}|spec.job.parallelism|UPGRADE",
        "{taskManager: {}}|{taskManager: {replicas: 2}}|spec.taskManager.replicas|UPGRADE",
        "{job: {state: running}}|{job: {state: suspended}}|spec.job.state|UPGRADE",
        "{job: {}}|{job: {upgradeMode: savepoint}}|spec.job.upgradeMode|IGNORE",
        "{job: {}}|{job: {initialSavepointPath: p}}|spec.job.initialSavepointPath|IGNORE",
        "{job: {}}|{job: {savepointTriggerNonce: 1}}|spec.job.savepointTriggerNonce|IGNORE",
        "{job: {}}|{job: {checkpointTriggerNonce: 1}}|spec.job.checkpointTriggerNonce|IGNORE",
        "{job: {}}|{job: {allowNonRestoredState: true}}|spec.job.allowNonRestoredState|IGNORE",
        "{job: {}}|{job: {autoscalerResetNonce: 1}}|spec.job.autoscalerResetNonce|IGNORE",
        "{job: {}}|{job: {flinkStateSnapshotReference: {name: s}}}|spec.job.flinkStateSnapshotReference|IGNORE",
        "{job: {flinkStateSnapshotReference: {name: s}}}|{job: {flinkStateSnapshotReference: {name: s, path: p}}}|spec.job.flinkStateSnapshotReference.path|IGNORE",
        "{job: {}}|{job: {savepointRedeployNonce: 1}}|spec.job.savepointRedeployNonce|SAVEPOINT_REDEPLOY",
        "{job: {savepointRedeployNonce: 1}}|{job: {}}|spec.job.savepointRedeployNonce|IGNORE",
        "{restartNonce: 1}|{restartNonce: 2}|spec.restartNonce|UPGRADE",
        "{}|{restartNonce: 2}|spec.restartNonce|UPGRADE",
        "{restartNonce: 1}|{}|spec.restartNonce|IGNORE",
        "{}|{flinkConfiguration: {x: 1}}|spec.flinkConfiguration.x|UPGRADE",
        "{}|{flinkConfiguration: {job.autoscaler.enabled: true}}|spec.flinkConfiguration.job.autoscaler.enabled|IGNORE",
        "{}|{flinkConfiguration: {parallelism.default: 2}}|spec.flinkConfiguration.parallelism.default|IGNORE",
        "{}|{flinkConfiguration: {kubernetes.operator.x: 2}}|spec.flinkConfiguration.kubernetes.operator.x|IGNORE",
        "{}|{flinkConfiguration: {pipeline.jobvertex-parallelism-overrides: 'a:1'}}|spec.flinkConfiguration.pipeline.jobvertex-parallelism-overrides|SCALE",
        "{}|{flinkConfiguration: {kubernetes.rest-service.annotations: 'a:b'}}|spec.flinkConfiguration.kubernetes.rest-service.annotations|IN_PLACE",
        "{}|{flinkConfiguration: {kubernetes.rest-service.labels.a: b}}|spec.flinkConfiguration.kubernetes.rest-service.labels.a|IN_PLACE",
        "{}|{flinkConfiguration: {kubernetes.internal-service.annotations: 'a:b'}}|spec.flinkConfiguration.kubernetes.internal-service.annotations|IN_PLACE",
        "{}|{flinkConfiguration: {kubernetes.rest-service.exposed.type: NodePort}}|spec.flinkConfiguration.kubernetes.rest-service.exposed.type|UPGRADE",
        "{}|{ingress: {template: t}}|spec.ingress|IN_PLACE",
        "{ingress: {template: t}}|{}|spec.ingress|IN_PLACE",
        "{ingress: {template: t}}|{ingress: {template: u}}|spec.ingress.template|IN_PLACE",
        "{ingress: {template: t}}|{ingress: {template: t, labels: {a: b}}}|spec.ingress.labels.a|IN_PLACE",
        "{ingress: {tls: [{secretName: s}]}}|{ingress: {tls: [{secretName: t}]}}|spec.ingress.tls[0].secretName|IN_PLACE",
        "{job: {args: [a]}}|{job: {args: [a, b]}}|spec.job.args[1]|UPGRADE",
        "{podTemplate: {spec: {x: 1}}}|{podTemplate: {spec: {x: 2}}}|spec.podTemplate.spec.x|UPGRADE",
        "{podTemplate: {spec: {x: {}}}}|{podTemplate: {spec: {x: {labelSelector: {}}}}}|spec.podTemplate.spec.x.labelSelector|UPGRADE",
        "{podTemplate: {spec: {containers: [{}]}}}|{}|spec.podTemplate|UPGRADE",
        "{}|{flinkConfiguration: {rest.bind-address: a}}|spec.flinkConfiguration.rest.bind-address|IGNORE",
        "{flinkConfiguration: {execution.target: a}}|{}|spec.flinkConfiguration.execution.target|IGNORE",
        "{}|{flinkConfiguration: {execution.savepoint.path: a}}|spec.flinkConfiguration.execution.savepoint.path|IGNORE",
        "{}|{flinkConfiguration: {kubernetes.pod-template-file.jobmanager: a}}|spec.flinkConfiguration.kubernetes.pod-template-file.jobmanager|IGNORE",
      })
  void eachFieldAsksForWhatApacheSaysButForWhatChangesInPlace(
      String from, String to, String path, DiffKind kind) {
    SpecDiff diff = diff(from, to);

    assertThat(diff.changes()).extracting(SpecChange::path).containsExactly(path);
    assertThat(diff.kind()).isEqualTo(kind);
  }

  @ParameterizedTest(name = "standalone: {0} -> {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "job: {parallelism: 1}|job: {parallelism: 2}|SCALE",
        "job: {}, taskManager: {}|job: {}, taskManager: {replicas: 2}|SCALE",
        "taskManager: {}|taskManager: {replicas: 2}|IN_PLACE",
        "flinkConfiguration: {}|flinkConfiguration: {pipeline.jobvertex-parallelism-overrides: 'a:1'}|UPGRADE",
      })
  void aStandaloneClusterScalesByItsReplicasAndASessionClusterWithoutAnOperation(
      String from, String to, DiffKind kind) {
    assertThat(diff("{mode: standalone, " + from + "}", "{mode: standalone, " + to + "}").kind())
        .isEqualTo(kind);
  }

  @ParameterizedTest(name = "reactive: {0} -> {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "taskManager: {replicas: 1}|taskManager: {replicas: 2}|IN_PLACE",
        "taskManager: {replicas: 1}|job: {parallelism: 2}|IN_PLACE",
        "job: {parallelism: 1}|job: {parallelism: 2}|IN_PLACE",
        "image: a|image: b|UPGRADE",
      })
  void inReactiveModeTaskManagersComeAndGo(String from, String to, DiffKind kind) {
    String reactive =
        "{mode: standalone, flinkConfiguration: {scheduler-mode: Reactive}, job: {}, ";

    assertThat(diff(with(reactive, from), with(reactive, to)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest(name = "{0} -> {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{mode: standalone}|{mode: standalone, flinkConfiguration: {scheduler-mode: reactive}}|UPGRADE",
        "{mode: standalone, flinkConfiguration: {scheduler-mode: reactive}}|{mode: standalone}|UPGRADE",
        "{flinkConfiguration: {scheduler-mode: reactive}, job: {}}|{flinkConfiguration: {scheduler-mode: reactive}, job: {}, taskManager: {replicas: 2}}|UPGRADE",
      })
  void onlyWhereFlinkHasIt(String from, String to, DiffKind kind) {
    assertThat(diff(from, to).kind()).isEqualTo(kind);
  }

  /** Of two that both give the job, the second counts. */
  private static String with(String beginning, String section) {
    return section.startsWith("job:")
        ? beginning.replace("job: {}, ", "") + section + "}"
        : beginning + section + "}";
  }

  @ParameterizedTest(name = "{0} is the same as {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{mode: native, jobManager: {replicas: 1}, taskManager: {}, logConfiguration: {}}",
        "{job: {}}|{job: {state: running, upgradeMode: stateless, parallelism: 0, args: []}}",
        "{flinkConfiguration: {a.b: 1}}|{flinkConfiguration: {a: {b: '1'}}}",
        "{flinkConfiguration: {}}|{}",
        "{podTemplate: null}|{}",
        "{jobManager: {resource: {cpu: 1}}}|{jobManager: {resource: {cpu: 1.0}}}",
        "{jobManager: {resources: {requests: {}}, resource: {}}}|{}",
        "{podTemplate: {apiVersion: v1, kind: Pod}}|{}",
        "{podTemplate: {metadata: {labels: {}}, spec: {containers: [], nodeSelector: {}}}}|{}",
        "{jobManager: {podTemplate: {}}, taskManager: {podTemplate: {kind: Pod}}}|{}",
        "{podTemplate: {kind: Pod, spec: {containers: [{name: a, env: [], resources: {limits: {}}}]}}}|{podTemplate: {spec: {containers: [{name: a}]}}}",
      })
  void whatMeansTheSameIsNoChange(String one, String other) {
    assertThat(diff(one, other)).isEqualTo(new SpecDiff(IGNORE, java.util.List.of()));
  }

  @Test
  void theStrongestChangeDecides() {
    SpecDiff diff =
        diff(
            "{image: a, job: {upgradeMode: stateless}}",
            "{image: b, job: {upgradeMode: savepoint, savepointRedeployNonce: 3}}");

    assertThat(diff.changes())
        .extracting(SpecChange::kind)
        .containsExactly(UPGRADE, SAVEPOINT_REDEPLOY, IGNORE);
    assertThat(diff.kind()).isEqualTo(SAVEPOINT_REDEPLOY);
    assertThat(SCALE.or(IGNORE)).isEqualTo(SCALE);
  }

  @Test
  void theDescriptionSaysOldAndNew() {
    assertThat(diff("{image: a, restartNonce: 1}", "{image: b}").describe())
        .isEqualTo("spec.image: a -> b, spec.restartNonce: 1 -> (none)");
  }

  @Test
  void aWholeSectionIsNamedButNotShown() {
    assertThat(diff("{}", "{podTemplate: {spec: {password: x}}}").describe())
        .isEqualTo("spec.podTemplate: (none) -> {...}");
  }

  @Test
  void longTextIsCutShort() {
    String log = "x".repeat(500);

    assertThat(diff("{}", "{logConfiguration: {logback-console.xml: " + log + "}}").describe())
        .hasSizeLessThan(200);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{flinkConfiguration: {security.ssl.rest.keystore-password: hunter2}}",
        "{}|{flinkConfiguration: {s3.secret-key: hunter2}}",
        "{}|{flinkConfiguration: {s3.access.key: hunter2}}",
        "{}|{flinkConfiguration: {fs: {azure: {account: {key: hunter2}}}}}",
        "{}|{flinkConfiguration: {env.java.opts.all: '-Xmx1g -Ddb.password=hunter2'}}",
        "{}|{flinkConfiguration: {metrics.url: 'https://me:hunter2@host/'}}",
        "{job: {args: [--db-password, a]}}|{job: {args: [--db-password, hunter2]}}",
        "{job: {args: [x]}}|{job: {args: ['--token=hunter2']}}",
        "{podTemplate: {env: [{name: DB_PASSWORD, value: a}]}}|{podTemplate: {env: [{name: DB_PASSWORD, value: hunter2}]}}",
      })
  void whatMayBeASecretIsMasked(String from, String to) {
    assertThat(diff(from, to).describe()).contains("******").doesNotContain("hunter2");
  }
}
