package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfig;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-apiserver with etcd and the committed definitions, one for all test classes of a
 * module that ask for it. Nothing else runs in it: no garbage collection, no pods of Deployments.
 * Its binaries are the laptop cluster's: the first test on a machine that has none fetches or
 * builds them, which takes minutes, and fails where that is impossible.
 */
public final class ApiServer implements AutoCloseable {

  private static final int START_MS = 60_000;
  private static final int STARTS = 3;
  private static final int ESTABLISH_SECONDS = 180;

  /** The usual 10 s may pass on a busy machine: what was done by then would be tried again. */
  private static final int REQUEST_MS = 120_000;

  private final KubeAPIServer server;
  private final KubernetesClient client;
  private final AtomicInteger namespaces = new AtomicInteger();

  private ApiServer(Path repository, Predicate<Path> defined) {
    server =
        started(
            KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(binaries(repository).toString())
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withStartupTimeout(START_MS)
                .withApiServerFlag("--bind-address", "127.0.0.1")
                .build(),
            STARTS);
    client = new KubernetesClientBuilder().withConfig(config()).build();
    Stream.of("deploy/crds", "deploy/preview")
        .flatMap(folder -> definitions(repository.resolve(folder)).stream())
        .filter(defined)
        .forEach(this::define);
  }

  /**
   * Each start chooses ports that are free: another process may take one before etcd or the API
   * server listens to it, and that process ends then.
   */
  private static KubeAPIServer started(KubeAPIServerConfig config, int starts) {
    KubeAPIServer server = new KubeAPIServer(config);
    try {
      server.start();
      return server;
    } catch (KubeAPITestException failed) {
      try {
        server.stop();
      } catch (KubeAPITestException stopped) {
        failed.addSuppressed(stopped);
      }
      if (starts == 1) {
        throw failed;
      }
      return started(config, starts - 1);
    }
  }

  private static Path binaries(Path repository) {
    Progress progress = Progress.on(System.err, false);
    return PartsProvider.of(CacheDirectory.ofThisUser(), repository, progress).kubeApiTest();
  }

  private static List<Path> definitions(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void define(Path definition) {
    try (InputStream yaml = Files.newInputStream(definition)) {
      var crd = client.apiextensions().v1().customResourceDefinitions().load(yaml).item();
      client.resource(crd).serverSideApply();
      client
          .resource(crd)
          .waitUntilCondition(ApiServer::isEstablished, ESTABLISH_SECONDS, TimeUnit.SECONDS);
      awaitStorage(CustomResourceDefinitionContext.fromCrd(crd));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Until then each list is answered with "storage is (re)initializing". */
  private void awaitStorage(ResourceDefinitionContext kind) {
    await()
        .atMost(ESTABLISH_SECONDS, TimeUnit.SECONDS)
        .ignoreException(KubernetesClientException.class)
        .until(
            () ->
                client.genericKubernetesResources(kind).inAnyNamespace().list().getItems() != null);
  }

  private static boolean isEstablished(@Nullable CustomResourceDefinition crd) {
    return crd != null
        && crd.getStatus() != null
        && crd.getStatus().getConditions() != null
        && crd.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Established") && it.getStatus().equals("True"));
  }

  /** How to reach it, as administrator. */
  public Config config() {
    return new ConfigBuilder(Config.fromKubeconfig(kubeconfig()))
        .withConnectionTimeout(REQUEST_MS)
        .withRequestTimeout(REQUEST_MS)
        .build();
  }

  /**
   * Returns when an account of Sluice has the rights that were just applied: what authorizes
   * requests follows what is stored.
   *
   * @param namespace one whose resources it runs
   */
  public void awaitRights(String user, String namespace) {
    // both accounts read which cluster this is, and pods
    awaitRight(
        user,
        new ResourceAttributesBuilder()
            .withVerb("get")
            .withResource("namespaces")
            .withNamespace("kube-system")
            .withName("kube-system")
            .build());
    awaitRight(
        user,
        new ResourceAttributesBuilder()
            .withVerb("list")
            .withResource("pods")
            .withNamespace(namespace)
            .build());
  }

  private void awaitRight(String user, ResourceAttributes right) {
    SubjectAccessReview review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(user)
            .withResourceAttributes(right)
            .endSpec()
            .build();
    await()
        .until(
            () ->
                client
                    .authorization()
                    .v1()
                    .subjectAccessReview()
                    .create(review)
                    .getStatus()
                    .getAllowed());
  }

  /** How to reach it as administrator, as YAML for a process of its own. */
  public String kubeconfig() {
    return server.getKubeConfigYaml();
  }

  /** A client that may do everything. */
  public KubernetesClient client() {
    return client;
  }

  /** A namespace of its own for a test. */
  public String namespace() {
    String name = "test-" + namespaces.incrementAndGet();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    // pods need one, and no controller creates it here
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(name)
                .withName("default")
                .endMetadata()
                .build())
        .create();
    return name;
  }

  @Override
  public void close() {
    client.close();
    server.stop();
  }

  /** Hands the one server to every test method that has a parameter for it. */
  public static final class Extension extends OnePerRun<ApiServer> {

    /** For JUnit. */
    public Extension() {
      super(ApiServer.class, () -> new ApiServer(Repository.root(), definition -> true));
    }
  }

  /**
   * Another one, of a cluster that was set up before there were snapshots: FlinkStateSnapshots and
   * FlinkSessionJobs are not defined there.
   */
  public record WithoutSnapshots(ApiServer server) implements AutoCloseable {

    @Override
    public void close() {
      server.close();
    }

    /** Hands the one server of its kind to every test method that has a parameter for it. */
    public static final class Extension extends OnePerRun<WithoutSnapshots> {

      /** For JUnit. */
      public Extension() {
        super(
            WithoutSnapshots.class,
            () ->
                new WithoutSnapshots(
                    new ApiServer(
                        Repository.root(),
                        it -> it.getFileName().toString().startsWith("flinkdeployments."))));
      }
    }
  }
}
