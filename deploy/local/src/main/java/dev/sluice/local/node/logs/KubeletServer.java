package dev.sluice.local.node.logs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kubelet's HTTPS port on 127.0.0.1: {@code /containerLogs/...} and {@code /healthz}.
 *
 * <p>It does not authenticate callers, as it can only be reached from this machine and only reads
 * logs; for that same reason there is no {@code exec}: it would let every user of the machine act
 * as the one who runs the node.
 */
public final class KubeletServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletServer.class);

  /** As a Kubernetes Status, the one form of error that reaches the user of kubectl exec. */
  private static final String NO_EXEC =
      """
      {"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "MethodNotAllowed",
      "code": 405, "message": "The local node has no exec, attach or port-forward: its pods are \
      processes of this machine. Look at them with ps, and reach their ports at the pod's IP."}\
      """;

  private final HttpsServer server;
  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "kubelet-port");
            thread.setDaemon(true);
            return thread;
          });
  private final BiFunction<String, String, Optional<Path>> pods;
  private final Clock clock;

  /**
   * @param pods the folder of the newest pod of a namespace and name
   * @param healthy whether the node is registered
   */
  public KubeletServer(
      int port,
      SSLContext tls,
      BiFunction<String, String, Optional<Path>> pods,
      BooleanSupplier healthy,
      Clock clock)
      throws IOException {
    this.pods = pods;
    this.clock = clock;
    server = HttpsServer.create(new InetSocketAddress("127.0.0.1", port), 64);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(executor);
    server.createContext(
        "/healthz",
        exchange -> {
          boolean good = healthy.getAsBoolean();
          answer(exchange, good ? 200 : 503, good ? "ok" : "The node is not registered yet");
        });
    server.createContext("/containerLogs/", this::logs);
    for (String path : new String[] {"/exec/", "/run/", "/attach/", "/portForward/"}) {
      server.createContext(
          path,
          exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            answer(exchange, 405, NO_EXEC);
          });
    }
    server.start();
  }

  private void logs(HttpExchange exchange) throws IOException {
    ContainerLog request;
    try {
      request = ContainerLog.of(exchange.getRequestURI());
    } catch (IllegalArgumentException e) {
      answer(exchange, 400, String.valueOf(e.getMessage()));
      return;
    }
    Attempt attempt = attempt(request).orElse(null);
    if (attempt == null) {
      String which = request.previous() ? "previous terminated container " : "container ";
      String name = "\"%s\" in pod \"%s\"".formatted(request.container(), request.pod());
      answer(exchange, 400, which + name + " not found, or not started yet");
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "text/plain");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      request.write(attempt, clock, out);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("A reader of the log of {} has left", request.pod(), e);
    }
  }

  private Optional<Attempt> attempt(ContainerLog request) throws IOException {
    Path folder = pods.apply(request.namespace(), request.pod()).orElse(null);
    if (folder == null) {
      return Optional.empty();
    }
    ContainerFolder folders = new ContainerFolder(folder.resolve(request.container()));
    return folders
        .newest()
        .map(newest -> request.previous() ? folders.attempt(newest.number() - 1) : newest)
        .filter(Attempt::begun);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
