package dev.sluice.e2e.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server of one jar: who asks first gets half of it, and the rest never. */
public final class JarServer implements AutoCloseable {

  private final byte[] jar;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch sentHalf = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Starts it on this machine only. */
  public JarServer(Path jar) throws IOException {
    this.jar = Files.readAllBytes(jar);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/job.jar", this::answer);
    server.start();
  }

  /** Where a worker that may connect to this machine finds the jar. */
  public String uri() {
    return "http://127.0.0.1:%d/job.jar".formatted(server.getAddress().getPort());
  }

  /** Whether somebody has got half of it, and waits for the rest. */
  public boolean hasSentHalf() {
    return sentHalf.getCount() == 0;
  }

  /** How often it was asked for. */
  public int asked() {
    return asked.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange;
        OutputStream out = exchange.getResponseBody()) {
      boolean first = asked.incrementAndGet() == 1;
      exchange.sendResponseHeaders(200, jar.length);
      out.write(jar, 0, jar.length / 2);
      out.flush();
      if (first) {
        sentHalf.countDown();
        closed.await();
      } else {
        out.write(jar, jar.length / 2, jar.length - jar.length / 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
