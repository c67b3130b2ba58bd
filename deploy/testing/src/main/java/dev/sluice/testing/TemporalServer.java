package dev.sluice.testing;

import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A real development server of Temporal: it can do what the test server cannot, such as reset a run
 * or be killed. Its binary is the laptop cluster's: the first test on a machine that has none
 * fetches or builds it, which takes minutes, and fails where that is impossible.
 */
public final class TemporalServer implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int END_SECONDS = 10;

  private final List<String> searchAttributes;
  private final @Nullable Path database;
  private final ReservedPort port = new ReservedPort();
  private final ReservedPort httpPort = new ReservedPort();
  private final ReservedPort metricsPort = new ReservedPort();
  private final Path log;
  private final Thread atExit = new Thread(this::kill, "end Temporal");
  private volatile Process process;

  private TemporalServer(Path log, List<String> searchAttributes, @Nullable Path database) {
    this.searchAttributes = searchAttributes;
    this.database = database;
    this.log = log;
    process = launch();
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts one that keeps its histories in memory, and returns when it answers.
   *
   * @param log where it writes what it says
   * @param searchAttributes names of the search attributes that runs set, all keywords
   */
  public static TemporalServer start(Path log, List<String> searchAttributes) {
    return ready(new TemporalServer(log, searchAttributes, null));
  }

  /**
   * Starts one whose histories survive {@link #kill()}, and returns when it answers.
   *
   * @param folder for its log and its database
   * @param searchAttributes names of the search attributes that runs set, all keywords
   */
  public static TemporalServer startDurable(Path folder, List<String> searchAttributes) {
    return ready(
        new TemporalServer(
            folder.resolve("temporal.log"), searchAttributes, folder.resolve("temporal.db")));
  }

  private static TemporalServer ready(TemporalServer server) {
    try {
      server.awaitReady();
      return server;
    } catch (RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  /** Ends it as a crash does; {@link #startAgain()} brings it back. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts it again at the same address, and returns when it answers. */
  public void startAgain() {
    process = launch();
    awaitReady();
  }

  private Process launch() {
    try {
      return new ProcessBuilder(command())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Host and port of its gRPC API. */
  public String address() {
    return LOOPBACK + ":" + port.number();
  }

  private List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of(
                binary().toString(),
                "server",
                "start-dev",
                "--headless",
                "--ip=" + LOOPBACK,
                "--port=" + port.number(),
                "--http-port=" + httpPort.number(),
                "--metrics-port=" + metricsPort.number(),
                "--log-level=error"));
    if (database != null) {
      command.add("--db-filename=" + database);
    }
    searchAttributes.forEach(name -> command.add("--search-attribute=" + name + "=Keyword"));
    return command;
  }

  private static Path binary() {
    Progress progress = Progress.on(System.err, false);
    return PartsProvider.of(CacheDirectory.ofThisUser(), Repository.root(), progress)
        .provide(Tool.TEMPORAL);
  }

  /** It answers before it knows its search attributes: those are asked for. */
  private void awaitReady() {
    HttpClient http = HttpClient.newBuilder().connectTimeout(CALL).build();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://%s:%d/api/v1/namespaces/default/search-attributes"
                        .formatted(LOOPBACK, httpPort.number())))
            .timeout(CALL)
            .build();
    long giveUp = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < giveUp && process.isAlive()) {
      try {
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == 200
            && searchAttributes.stream().allMatch(answer.body()::contains)) {
          return;
        }
      } catch (IOException notYet) {
        // asked again
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while Temporal starts", e);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    throw new IllegalStateException("Temporal does not get ready: " + said());
  }

  private String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    List.of(port, httpPort, metricsPort).forEach(ReservedPort::close);
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
