package dev.sluice.controller.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An API server that takes what is created, unless it is told what to answer, */
public final class UnreliableApiServer implements AutoCloseable {

  private static final int CREATED = 201;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final KubernetesClient client;
  private final Map<String, Integer> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** Starts it, on a port of its own. */
  public UnreliableApiServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    client = clientOf(server);
  }

  /** A client of a server on loopback; the caller closes it. */
  public static KubernetesClient clientOf(HttpServer server) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build())
        .build();
  }

  /** A client of it. */
  public KubernetesClient client() {
    return client;
  }

  /** From now on this is the answer to what is asked in that namespace, or has that text in it. */
  public void answers(String what, int code) {
    answers.put(what, code);
  }

  /** The namespace of each request so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String namespace =
        exchange.getRequestURI().getPath().replaceFirst(".*/namespaces/([^/]+)/.*", "$1");
    byte[] body = exchange.getRequestBody().readAllBytes();
    requests.add(namespace);
    String text = new String(body, StandardCharsets.UTF_8);
    int code =
        answers.entrySet().stream()
            .filter(it -> it.getKey().equals(namespace) || text.contains(it.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(CREATED);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, code == CREATED ? body.length : -1);
    if (code == CREATED) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
    threads.shutdownNow();
  }
}
