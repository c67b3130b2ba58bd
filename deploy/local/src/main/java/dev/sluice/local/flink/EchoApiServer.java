package dev.sluice.local.flink;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Just enough of a Kubernetes API server to get a Flink process going in a training run: what is
 * created is accepted and forgotten, nothing is found, watches stay silent.
 */
final class EchoApiServer implements AutoCloseable {

  private static final String NOT_FOUND =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}";
  private static final String EMPTY_LIST =
      "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong requests = new AtomicLong();

  private EchoApiServer(HttpServer server) {
    this.server = server;
  }

  static EchoApiServer start() throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    EchoApiServer server = new EchoApiServer(http);
    http.createContext("/", server::answer);
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  /** A kubeconfig that leads here. */
  String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        current-context: training
        contexts: [{name: training, context: {cluster: training, user: training, namespace: default}}]
        clusters: [{name: training, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: training, user: {token: none}}]
        """
        .formatted(server.getAddress().getPort());
  }

  /** How many have come. */
  long requests() {
    return requests.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    String query = exchange.getRequestURI().getQuery();
    boolean collection =
        exchange.getRequestURI().getPath().matches(".*/(pods|configmaps|services)");
    if (query != null && query.contains("watch=true")) {
      exchange.sendResponseHeaders(200, 0); // and never a byte more
      return;
    }
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (!exchange.getRequestMethod().equals("GET")) {
      send(exchange, 200, body);
    } else {
      String text = collection ? EMPTY_LIST : NOT_FOUND;
      send(exchange, collection ? 200 : 404, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
