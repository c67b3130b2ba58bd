package dev.sluice.activities.support;

import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A client with the rights of the worker, as the chart gives them. */
public final class WorkerClient {

  private static final Path RIGHTS = Path.of("../deploy/helm/rendered/laptop.yaml");
  private static final String WORKER = "system:serviceaccount:sluice-system:sluice-worker";

  private WorkerClient() {}

  /** Gives them; the caller closes the client. */
  public static KubernetesClient of(ApiServer server) throws IOException {
    return of(server, new BeforeRequest());
  }

  /** The same; the interceptor sees each request. */
  public static KubernetesClient of(ApiServer server, Interceptor requests) throws IOException {
    KubernetesClient admin = server.client();
    if (admin.namespaces().withName("sluice-system").get() == null) {
      admin
          .resource(
              new NamespaceBuilder()
                  .withNewMetadata()
                  .withName("sluice-system")
                  .endMetadata()
                  .build())
          .serverSideApply();
      try (InputStream manifest = Files.newInputStream(RIGHTS)) {
        admin.load(manifest).items().stream()
            .filter(it -> it.getMetadata().getName().equals("sluice-worker"))
            .filter(it -> it instanceof ClusterRole || it instanceof ClusterRoleBinding)
            .forEach(it -> admin.resource(it).serverSideApply());
      }
    }
    server.awaitRights(WORKER, "default");
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(server.config())
                .withImpersonateUsername(WORKER)
                .withRequestRetryBackoffLimit(0)
                .build())
        .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("TEST", requests))
        .build();
  }
}
