package dev.sluice.activities.support;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Has something happen just before a request is sent to the API server: a race, each time. */
public final class BeforeRequest implements Interceptor {

  private final Map<String, Runnable> changes = new ConcurrentHashMap<>();

  /** Happens before the next request of that method whose path ends so, and only before that. */
  public void once(String method, String end, Runnable change) {
    changes.put(method + " " + end, change);
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String path = request.uri().getPath();
    changes.keySet().stream()
        .filter(
            it -> {
              int space = it.indexOf(' ');
              return request.method().equals(it.substring(0, space))
                  && path.endsWith(it.substring(space + 1));
            })
        .toList()
        .forEach(
            it -> {
              Runnable change = changes.remove(it);
              if (change != null) {
                change.run();
              }
            });
  }
}
