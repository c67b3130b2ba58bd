package dev.sluice.bootstrap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * {@code /livez}, {@code /readyz} and {@code /metrics} over HTTP, GET only, on one address and one
 * thread. The probes answer 200 or 503 with one line for each check, as the API server's do.
 */
public final class HealthServer implements AutoCloseable {

  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          runnable -> {
            Thread created = new Thread(runnable, "http");
            created.setDaemon(true);
            return created;
          });

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens from now on.
   *
   * @param address an address of this machine, not a wildcard
   * @param port 0 takes any free one
   * @param ready what {@code /readyz} depends on; the process is alive while it answers
   * @throws IOException when it cannot listen there
   */
  public static HealthServer start(
      String address, int port, List<HealthCheck> ready, Metrics metrics) throws IOException {
    HealthServer health =
        new HealthServer(HttpServer.create(new InetSocketAddress(address, port), 0));
    health.serve("/livez", () -> Answer.of(List.of()));
    health.serve("/readyz", () -> Answer.of(ready));
    health.serve(
        "/metrics",
        () -> new Answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape()));
    health.server.setExecutor(health.thread);
    health.server.start();
    return health;
  }

  /** The port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void serve(String path, Supplier<Answer> answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            write(exchange, answer(exchange, path, answer));
          }
        });
  }

  private static Answer answer(HttpExchange exchange, String path, Supplier<Answer> answer) {
    if (!exchange.getRequestURI().getPath().equals(path)) {
      return new Answer(404, TEXT, "not found\n");
    }
    if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      return new Answer(405, TEXT, "only GET\n");
    }
    return answer.get();
  }

  private static void write(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.contentType());
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }

  private record Answer(int status, String contentType, String body) {

    static Answer of(List<HealthCheck> checks) {
      StringBuilder lines = new StringBuilder();
      boolean well = true;
      for (HealthCheck check : checks) {
        Optional<String> problem = check.run();
        well &= problem.isEmpty();
        lines.append(problem.isEmpty() ? "[+]" : "[-]").append(check.name());
        lines.append(problem.map(text -> " " + text).orElse(" ok")).append('\n');
      }
      lines.append(well ? "ok\n" : "not ok\n");
      return new Answer(well ? 200 : 503, TEXT, lines.toString());
    }
  }
}
