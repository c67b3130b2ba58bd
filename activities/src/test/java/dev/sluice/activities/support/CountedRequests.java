package dev.sluice.activities.support;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Notes each request to the API server. */
public final class CountedRequests implements Interceptor {

  private final List<String> paths = new CopyOnWriteArrayList<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

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

  /** Requests of that path wait for it from now on. */
  public void hold(String path, CountDownLatch released) {
    held.put(path, released);
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String path = request.method() + " " + request.uri().getPath();
    paths.add(path);
    CountDownLatch released = held.get(path);
    if (released != null) {
      await(released);
    }
  }

  private static void await(CountDownLatch released) {
    try {
      if (!released.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("never released");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
