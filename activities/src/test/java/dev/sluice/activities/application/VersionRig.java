package dev.sluice.activities.application;

import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A FlinkApplication named {@code wordcount}, its versions, and what is there of them. */
final class VersionRig {

  static final FlinkApplicationSpec SPEC =
      Serialization.unmarshal(
          """
          image: registry.example.com/wordcount:1.0
          flinkVersion: "1.20"
          jarName: wordcount.jar
          parallelism: 3
          entryClass: org.example.WordCount
          taskManagerConfig: {taskSlots: 2}
          """,
          FlinkApplicationSpec.class);

  final TestClock clock = new TestClock();
  final KubernetesClient client;
  final FlinkApplication resource;
  final ResourceRef ref;
  final VersionReader reader;
  final ClusterAccess access;
  final VersionClusters clusters;

  /**
   * @param admin makes the application
   * @param client what is tested works with
   */
  VersionRig(KubernetesClient admin, KubernetesClient client, String namespace) {
    this(admin, client, namespace, ApplicationOptions.NONE);
  }

  VersionRig(
      KubernetesClient admin,
      KubernetesClient client,
      String namespace,
      ApplicationOptions options) {
    this.client = client;
    this.resource = admin.resource(application(namespace)).create();
    this.ref =
        new ResourceRef(
            "kubernetes",
            FlinkApplication.KIND,
            namespace,
            "wordcount",
            resource.getMetadata().getUid());
    this.reader = new VersionReader(client);
    FakeView unwatched = new FakeView();
    unwatched.synced = false;
    this.access = new ClusterAccess(reader, unwatched, clock);
    Watcher nobodyWaits = null;
    this.clusters = new VersionClusters(client, access, new FakeFlink(), nobodyWaits, options);
  }

  static FlinkApplication application(String namespace) {
    FlinkApplication application = new FlinkApplication();
    application.getMetadata().setNamespace(namespace);
    application.getMetadata().setName("wordcount");
    application.setSpec(SPEC);
    return application;
  }

  VersionTarget target() {
    return target(SPEC);
  }

  VersionTarget target(FlinkApplicationSpec spec) {
    return target(spec, version(spec, null));
  }

  VersionTarget coloured(Colour colour) {
    return target(SPEC, version(SPEC, colour));
  }

  private static VersionRef version(FlinkApplicationSpec spec, @Nullable Colour colour) {
    String hash = ApplicationHash.of(spec).inNames(0);
    return new VersionRef(
        hash,
        ApplicationHash.of(spec).full(),
        VersionNames.cluster("wordcount", hash),
        colour,
        1,
        null,
        false);
  }

  VersionTarget target(FlinkApplicationSpec spec, VersionRef version) {
    return VersionTarget.of(ref, resource, version, spec);
  }

  /** It takes so long to read the status that another attempt has begun. */
  Supplier<VersionTarget> readSlowly(VersionTarget target) {
    return () -> {
      clock.advance(Duration.ofSeconds(7));
      return target;
    };
  }

  @Nullable Deployment jobManager(VersionTarget target) {
    return deployment(VersionNames.jobManager(target.version()));
  }

  @Nullable Deployment taskManagers(VersionTarget target) {
    return deployment(VersionNames.taskManagers(target.version()));
  }

  @Nullable Deployment deployment(String name) {
    return client.apps().deployments().inNamespace(ref.namespace()).withName(name).get();
  }

  @Nullable Service service(String name) {
    return client.services().inNamespace(ref.namespace()).withName(name).get();
  }

  List<String> serviceNames() {
    return client.services().inNamespace(ref.namespace()).list().getItems().stream()
        .map(it -> it.getMetadata().getName())
        .sorted()
        .toList();
  }

  static @Nullable String selector(@Nullable Service service) {
    return service == null ? null : VersionObjects.podSelector(service.getSpec().getSelector());
  }

  /** As the controllers of Kubernetes would make it, which do not run here. */
  static Pod jobManagerPod(Deployment deployment) {
    PodTemplateSpec template = deployment.getSpec().getTemplate();
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(deployment.getMetadata().getNamespace())
        .withName("jm-1")
        .withLabels(template.getMetadata().getLabels())
        .withAnnotations(template.getMetadata().getAnnotations())
        .withOwnerReferences(deployment.getMetadata().getOwnerReferences())
        .endMetadata()
        .withNewSpec()
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("jobmanager")
        .withImage("image")
        .endContainer()
        .endSpec()
        .build();
  }
}
