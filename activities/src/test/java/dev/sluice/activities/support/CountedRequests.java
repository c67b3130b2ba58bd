package dev.sluice.activities.support;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes each request to the API server. */
public final class CountedRequests implements Interceptor {

  private final List<String> paths = new CopyOnWriteArrayList<>();

  /** A client whose requests are noted. */
  public KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("COUNT", this))
        .build();
  }

  /** {@code GET /api/v1/...} of each request, in order. */
  public List<String> paths() {
    return List.copyOf(paths);
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    paths.add(request.method() + " " + request.uri().getPath());
  }
}
