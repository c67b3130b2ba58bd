package dev.sluice.e2e.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server of one jar, as good or bad as a test wants it. */
public final class JarServer implements AutoCloseable {

  private static final String METADATA = "http://169.254.169.254/latest/meta-data";

  private final byte[] jar;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch sentHalf = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Answer answer = Answer.JAR;

  /** What it answers. */
  public enum Answer {
    /** The jar. */
    JAR,
    /** Half of the jar and the rest never, once; then the jar. */
    HALF,
    /** 404. */
    MISSING,
    /** A redirect to the metadata server of a cloud. */
    REDIRECT
  }

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

  /** From now on it answers that. */
  public JarServer answering(Answer some) {
    answer = some;
    return this;
  }

  /** Of the jar: 64 hexadecimal digits. */
  public String sha256() throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
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
    asked.incrementAndGet();
    try (exchange) {
      switch (answer) {
        case JAR -> {
          exchange.sendResponseHeaders(200, jar.length);
          exchange.getResponseBody().write(jar);
        }
        case HALF -> {
          answer = Answer.JAR;
          exchange.sendResponseHeaders(200, jar.length);
          exchange.getResponseBody().write(jar, 0, jar.length / 2);
          exchange.getResponseBody().flush();
          sentHalf.countDown();
          closed.await();
        }
        case MISSING -> exchange.sendResponseHeaders(404, -1);
        case REDIRECT -> {
          exchange.getResponseHeaders().set("Location", METADATA);
          exchange.sendResponseHeaders(302, -1);
        }
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
