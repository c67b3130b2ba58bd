package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.TaskManagerConfig;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cluster of a version is named, checked and made, with the rights of the worker. */
@ExtendWith(ApiServer.Extension.class)
class VersionCreationIT {

  private KubernetesClient admin;
  private KubernetesClient worker;
  private VersionRig rig;
  private String namespace;

  @BeforeEach
  void apply(ApiServer server) throws IOException {
    admin = server.client();
    worker = WorkerClient.of(server);
    namespace = server.namespace();
    rig = new VersionRig(admin, worker, namespace);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** The workflow may have gone on meanwhile. */
  @Test
  void nothingIsWrittenOnceTheStatusWasReadTooLongAgo() {
    assertThatThrownBy(() -> rig.clusters.create(rig.readSlowly(rig.target())))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(KubernetesFailure.UNAVAILABLE));
    assertThat(rig.serviceNames()).isEmpty();
  }

  @Test
  void aCheckWritesNothing() {
    assertThat(rig.clusters.problem(rig.target())).isEmpty();

    assertThat(rig.serviceNames()).isEmpty();
    assertThat(rig.jobManager(rig.target())).isNull();
  }

  /** Volumes and affinity are not in the definition of the resource. */
  @Test
  void aFieldThatKubernetesDoesNotKnowIsTold() throws IOException {
    FlinkApplicationSpec spec =
        VersionRig.SPEC.withVolumes(
            List.of(new ObjectMapper().readTree("{\"name\": \"data\", \"emptyDirectory\": {}}")));

    assertThat(rig.clusters.problem(rig.target(spec)).orElseThrow()).contains("emptyDirectory");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "serviceAccountName: Not_A_Name | serviceAccountName",
        "imagePullPolicy: Sometimes | imagePullPolicy",
        "volumes: [{name: a, emptyDir: {}}, {name: a, emptyDir: {}}] | volumes",
        "volumeMounts: [{name: nowhere, mountPath: /data}] | volumeMounts[0].name",
        "jobManagerConfig: {envConfig: {env: [{name: 'A=B'}]}} | .name",
        "taskManagerConfig: {resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}} | resources.requests",
        "taskManagerConfig: {resources: {requests: {memory: 2Gi}, limits: {cpu: '-1'}}} | cpu",
      })
  void whatKubernetesRefusesIsToldWithItsField(String patch, String field) throws IOException {
    ObjectNode spec = Serialization.jsonMapper().valueToTree(VersionRig.SPEC);
    spec.setAll((ObjectNode) Serialization.unmarshal(patch, JsonNode.class));

    assertThat(
            rig.clusters.problem(
                rig.target(
                    Serialization.jsonMapper().treeToValue(spec, FlinkApplicationSpec.class))))
        .hasValueSatisfying(problem -> assertThat(problem).contains(field));
  }

  /** W14. */
  @Test
  void aConfigurationThatCannotBeRenderedIsTold() {
    FlinkApplicationSpec spec = VersionRig.SPEC.withFlinkVersion("1.8");
    FlinkApplicationSpec both =
        spec.withTaskManagerConfig(
            new TaskManagerConfig(null, null, 2, null, 0.1, null, null, null));

    assertThat(rig.clusters.problem(rig.target(both)).orElseThrow())
        .startsWith("spec.taskManagerConfig.systemMemoryFraction: ");
  }

  @Test
  void allOfItBelongsToTheApplication() {
    rig.clusters.create(() -> rig.target());

    String cluster = rig.target().version().cluster();
    assertThat(rig.serviceNames()).containsExactly("wordcount", cluster);
    assertThat(
            Stream.<HasMetadata>of(
                rig.service("wordcount"),
                rig.service(cluster),
                rig.deployment(cluster + "-jm"),
                rig.deployment(cluster + "-tm")))
        .allSatisfy(
            it ->
                assertThat(it.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(rig.ref.uid())));
    assertThat(rig.taskManagers(rig.target()).getSpec().getReplicas()).isEqualTo(2);
  }

  @Test
  void creatingItTwiceChangesNothing() {
    rig.clusters.create(() -> rig.target());
    List<String> before = versions();

    rig.clusters.create(() -> rig.target());

    assertThat(versions()).isEqualTo(before);
    assertThat(rig.clusters.problem(rig.target())).isEmpty();
  }

  @Test
  void whatIsMissingIsMade() {
    rig.clusters.create(() -> rig.target());
    String jobManager = rig.jobManager(rig.target()).getMetadata().getResourceVersion();
    admin.resource(rig.taskManagers(rig.target())).delete();

    rig.clusters.create(() -> rig.target());

    assertThat(rig.taskManagers(rig.target())).isNotNull();
    assertThat(rig.jobManager(rig.target()).getMetadata().getResourceVersion())
        .isEqualTo(jobManager);
  }

  /** The Service of the application goes on leading to the old version. */
  @Test
  void theNextVersionIsMadeBesideIt() {
    rig.clusters.create(() -> rig.target());
    VersionTarget next = rig.target(VersionRig.SPEC.withRestartNonce("2"));
    String version = rig.service("wordcount").getMetadata().getResourceVersion();

    rig.clusters.create(() -> next);

    assertThat(rig.jobManager(rig.target())).isNotNull();
    assertThat(rig.jobManager(next)).isNotNull();
    assertThat(rig.service("wordcount").getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(VersionRig.selector(rig.service(next.version().cluster())))
        .isNotEqualTo(VersionRig.selector(rig.service("wordcount")));
  }

  @Test
  void eachColourHasItsOwnServiceAndIngress() {
    admin.resource(rig.resource).delete();
    rig =
        new VersionRig(
            admin,
            worker,
            namespace,
            new ApplicationOptions("{{$jobCluster}}.example.com", null, null));
    VersionTarget green = rig.coloured(Colour.GREEN);

    assertThat(rig.clusters.problem(green)).isEmpty();
    rig.clusters.create(() -> green);

    assertThat(rig.serviceNames()).containsExactly(green.version().cluster(), "wordcount-green");
    assertThat(rig.deployment(green.version().cluster() + "-green-jm")).isNotNull();
    assertThat(
            admin
                .network()
                .v1()
                .ingresses()
                .inNamespace(namespace)
                .withName("wordcount-green")
                .get()
                .getSpec()
                .getRules()
                .get(0)
                .getHost())
        .isEqualTo("wordcount-green.example.com");
  }

  /** W17: Lyft's operator takes the cluster of another spec for that of this one. */
  @Test
  void aNameOfAnotherVersionIsNotUsed() {
    admin.resource(withFullHash(rendered(rig.target()), "another")).create();

    VersionRef named = rig.clusters.name(rig.ref, VersionRig.SPEC, 1, null);

    assertThat(named.cluster()).isNotEqualTo(rig.target().version().cluster());
    assertThat(named.fullHash()).isEqualTo(rig.target().version().fullHash());
    assertType(FailureType.NAME_TAKEN, () -> rig.clusters.create(() -> rig.target()));
  }

  @Test
  void theNameOfTheSameVersionIsUsedAgain() {
    rig.clusters.create(() -> rig.target());

    assertThat(rig.clusters.name(rig.ref, VersionRig.SPEC, 1, null))
        .isEqualTo(rig.target().version());
  }

  @Test
  void whatSomebodyElseHasIsToldBeforeAnythingIsWritten() {
    Deployment theirs = rendered(rig.target());
    theirs.getMetadata().setOwnerReferences(List.of());
    admin.resource(theirs).create();

    assertType(FailureType.NAME_TAKEN, () -> rig.clusters.problem(rig.target()));
    assertType(FailureType.NAME_TAKEN, () -> rig.clusters.create(() -> rig.target()));
    assertThat(rig.serviceNames()).isEmpty();
  }

  @Test
  void aClusterThatIsBeingDeletedIsRefusedForNow() {
    rig.clusters.create(() -> rig.target());
    Deployment jobManager = rig.jobManager(rig.target());
    jobManager.getMetadata().setFinalizers(List.of("example.com/stays"));
    admin.resource(jobManager).update();
    admin.resource(jobManager).delete();

    assertThatThrownBy(() -> rig.clusters.create(() -> rig.target()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
              assertThat(failure.isNonRetryable()).isFalse();
            });
  }

  /**
   * W16: the selector of the Services is that of the JobManager that is there, whatever other
   * Deployments are. Those of Lyft's operator are random.
   */
  @Test
  void servicesSelectThePodsOfTheJobManagerThatIsThere() {
    VersionTarget adopted = adopted();
    admin.resource(byLyft(adopted, "zzjobman")).create();

    rig.clusters.create(() -> adopted);

    assertThat(VersionRig.selector(rig.service(adopted.version().cluster()))).isEqualTo("zzjobman");
    assertThat(VersionRig.selector(rig.service("wordcount"))).isEqualTo("zzjobman");
    assertThat(rig.clusters.look(rig.ref, adopted.version()).served()).isTrue();
  }

  /** So that the Service of the application, which is not changed, leads to it again. */
  @Test
  void aJobManagerThatWasLostIsSelectedAsBefore() {
    VersionTarget adopted = adopted();
    admin.resource(byLyft(adopted, "zzjobman")).create();
    rig.clusters.create(() -> adopted);
    admin.resource(rig.jobManager(adopted)).delete();

    rig.clusters.create(() -> adopted);

    assertThat(VersionObjects.podSelector(rig.jobManager(adopted))).isEqualTo("zzjobman");
    assertThat(rig.clusters.look(rig.ref, adopted.version()).served()).isTrue();
  }

  /** {@code --cascade=orphan}: Kubernetes gives the pods that it selects to the next Deployment. */
  @Test
  void aJobManagerThatHasLostItsDeploymentAloneIsSelectedByTheNextOne() {
    rig.clusters.create(() -> rig.target());
    Deployment before = rig.jobManager(rig.target());
    Pod pod = admin.resource(VersionRig.jobManagerPod(before)).create();
    admin.resource(before).delete();

    VersionLook orphaned = rig.clusters.look(rig.ref, rig.target().version());
    assertThat(orphaned.isOrphaned()).isTrue();
    assertThat(orphaned.isThere()).isFalse();
    rig.clusters.create(() -> rig.target());

    assertThat(rig.clusters.look(rig.ref, rig.target().version()).isThere()).isTrue();
    assertThat(rig.jobManager(rig.target()).getSpec().getTemplate())
        .isEqualTo(before.getSpec().getTemplate());
    assertThat(pod.getMetadata().getLabels())
        .containsAllEntriesOf(
            rig.jobManager(rig.target()).getSpec().getSelector().getMatchLabels());

    admin.resource(pod).withGracePeriod(0).delete();
    assertThat(rig.clusters.look(rig.ref, rig.target().version()).isOrphaned()).isFalse();
  }

  @Test
  void theClusterThatLyftsOperatorHasMadeIsFoundByItsHash() {
    admin.resource(byLyft(adopted(), "zzjobman")).create();

    assertThat(rig.clusters.labelled(rig.ref, "1a2b3c4d"))
        .contains(new VersionRef("1a2b3c4d", null, "wordcount-1a2b3c4d", null, 0, null, true));
    assertThat(rig.clusters.labelled(rig.ref, "00000000")).isEmpty();
  }

  private VersionTarget adopted() {
    return rig.target(
        VersionRig.SPEC,
        new VersionRef("1a2b3c4d", "unknown", "wordcount-1a2b3c4d", null, 1, null, true));
  }

  /** As the operator of Lyft makes it: nothing of ours, and a random selector. */
  private static Deployment byLyft(VersionTarget target, String selector) {
    return new DeploymentBuilder(
            new VersionRenderer(ApplicationOptions.NONE).render(target, selector).jobManager())
        .editMetadata()
        .withAnnotations(Map.of())
        .removeFromLabels(Labels.MANAGED_BY)
        .endMetadata()
        .build();
  }

  private static Deployment rendered(VersionTarget target) {
    return new VersionRenderer(ApplicationOptions.NONE).render(target).jobManager();
  }

  private static Deployment withFullHash(Deployment deployment, String hash) {
    return deployment
        .edit()
        .editMetadata()
        .addToAnnotations(ApplicationLabels.FULL_HASH, hash)
        .endMetadata()
        .build();
  }

  private List<String> versions() {
    return Stream.<HasMetadata>concat(
            admin.services().inNamespace(namespace).list().getItems().stream(),
            admin.apps().deployments().inNamespace(namespace).list().getItems().stream())
        .map(it -> it.getMetadata().getResourceVersion())
        .toList();
  }

  private static void assertType(String type, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }
}
