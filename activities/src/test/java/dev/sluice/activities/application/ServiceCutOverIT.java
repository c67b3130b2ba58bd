package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.IngressServiceBackend;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Service of the application leads from one version to the next. */
@ExtendWith(ApiServer.Extension.class)
class ServiceCutOverIT {

  private static final ApplicationOptions INGRESS =
      new ApplicationOptions("{{$jobCluster}}.flink.example.com", null, null);

  private KubernetesClient worker;
  private VersionRig rig;
  private VersionTarget old;
  private VersionTarget next;

  @BeforeEach
  void makeTwoVersions(ApiServer server) throws IOException {
    worker = WorkerClient.of(server);
    rig = new VersionRig(server.client(), worker, server.namespace(), INGRESS);
    old = rig.target();
    next = rig.target(VersionRig.SPEC.withUiPort(9081));
    rig.clusters.create(() -> old);
    rig.clusters.create(() -> next);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** The workflow may have gone on meanwhile. */
  @Test
  void nothingIsWrittenOnceTheStatusWasReadTooLongAgo() {
    assertThatThrownBy(() -> rig.clusters.cutOver(rig.readSlowly(next)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(KubernetesFailure.UNAVAILABLE));
    assertThat(rig.clusters.look(rig.ref, old.version()).served()).isTrue();
  }

  @Test
  void itLeadsToTheJobManagerOfTheVersionAtItsPort() {
    rig.clusters.cutOver(() -> next);

    assertThat(VersionRig.selector(rig.service("wordcount")))
        .isEqualTo(VersionObjects.podSelector(rig.jobManager(next)));
    assertThat(rig.service("wordcount").getSpec().getPorts())
        .filteredOn(port -> port.getName().equals("ui"))
        .extracting(ServicePort::getPort)
        .containsExactly(9081);
    assertThat(rig.clusters.look(rig.ref, next.version()).served()).isTrue();
    assertThat(rig.clusters.look(rig.ref, old.version()).served()).isFalse();
  }

  @Test
  void theIngressLeadsToTheServiceAtThePortOfTheVersion() {
    assertThat(ingress()).isEqualTo("wordcount.flink.example.com -> wordcount:8081");

    rig.clusters.cutOver(() -> next);

    assertThat(ingress()).isEqualTo("wordcount.flink.example.com -> wordcount:9081");
  }

  @Test
  void anotherHostThatWasConfiguredSinceIsTaken() {
    ServiceCutOver elsewhere =
        new ServiceCutOver(
            worker,
            rig.reader,
            new VersionRenderer(new ApplicationOptions("{{$jobCluster}}.example.org", null, null)));

    elsewhere.cutOver(old, EffectWindow.open(rig.clock));

    assertThat(ingress()).isEqualTo("wordcount.example.org -> wordcount:8081");
  }

  @Test
  void anIngressThatIsAsItIsToBeIsNotWritten() {
    String version = read().getMetadata().getResourceVersion();

    rig.clusters.cutOver(() -> old);

    assertThat(read().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  private Ingress read() {
    return rig.client
        .network()
        .v1()
        .ingresses()
        .inNamespace(rig.ref.namespace())
        .withName("wordcount")
        .get();
  }

  private String ingress() {
    IngressRule rule = read().getSpec().getRules().get(0);
    IngressServiceBackend service = rule.getHttp().getPaths().get(0).getBackend().getService();
    return "%s -> %s:%d"
        .formatted(rule.getHost(), service.getName(), service.getPort().getNumber());
  }

  @Test
  void andBack() {
    rig.clusters.cutOver(() -> next);

    rig.clusters.cutOver(() -> old);

    assertThat(rig.clusters.look(rig.ref, old.version()).served()).isTrue();
  }

  @Test
  void whatIsSoAlreadyIsNotWritten() {
    rig.clusters.cutOver(() -> next);
    String version = rig.service("wordcount").getMetadata().getResourceVersion();

    rig.clusters.cutOver(() -> next);

    assertThat(rig.service("wordcount").getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void aServiceThatIsGoneIsMade() {
    rig.client.resource(rig.service("wordcount")).delete();

    rig.clusters.cutOver(() -> next);

    assertThat(rig.clusters.look(rig.ref, next.version()).served()).isTrue();
  }

  @Test
  void itNeverLeadsToAVersionWithoutJobManager() {
    rig.client.resource(rig.jobManager(next)).delete();

    assertThatThrownBy(() -> rig.clusters.cutOver(() -> next))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(rig.clusters.look(rig.ref, old.version()).served()).isTrue();
  }
}
