package dev.sluice.local.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
final class KubeletServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletServer.class);

  /** As a Kubernetes Status, the one form of error that reaches the user of kubectl exec. */
  private static final String NO_EXEC =
      """
      {"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "MethodNotAllowed",
      "code": 405, "message": "The local node has no exec, attach or port-forward: its pods are \
      processes of this machine. Look at them with ps, and reach their ports at the pod's IP."}\
      """;

  private final HttpsServer server;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final BiFunction<String, String, Optional<Path>> pods;

  /**
   * @param pods the folder of the newest pod of a namespace and name
   * @param healthy whether the node is registered
   */
  KubeletServer(
      int port,
      SSLContext tls,
      BiFunction<String, String, Optional<Path>> pods,
      BooleanSupplier healthy)
      throws IOException {
    this.pods = pods;
    server = HttpsServer.create(new InetSocketAddress("127.0.0.1", port), 64);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(executor);
    server.createContext(
        "/healthz",
        exchange -> {
          boolean good = healthy.getAsBoolean();
          answer(exchange, good ? 200 : 503, good ? "ok" : "The node is not registered");
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
    Process tail = new ProcessBuilder(request.command(attempt)).redirectErrorStream(true).start();
    try (InputStream in = tail.getInputStream();
        OutputStream out = exchange.getResponseBody()) {
      byte[] block = new byte[8192];
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        out.write(block, 0, read);
        out.flush(); // whoever follows sees it at once
      }
    } catch (IOException e) {
      LOG.debug("A reader of the log of {} has left", request.pod(), e);
    } finally {
      tail.destroy();
    }
  }

  private Optional<Attempt> attempt(ContainerLog request) throws IOException {
    Path pod = pods.apply(request.namespace(), request.pod()).orElse(null);
    if (pod == null) {
      return Optional.empty();
    }
    return Attempt.newest(pod.resolve(request.container()))
        .flatMap(newest -> request.previous() ? newest.before() : Optional.of(newest))
        .filter(attempt -> Files.exists(attempt.log()));
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
