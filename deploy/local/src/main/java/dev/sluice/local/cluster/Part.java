package dev.sluice.local.cluster;

import dev.sluice.local.os.ProcessIdentity;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Fingerprint;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * One process of the cluster. What is known of it is on disk, so that any process may look after
 * it.
 */
public final class Part {
  private static final long LOG_LIMIT_BYTES = 20L << 20;

  /**
   * How a part is started and how to tell that it is ready.
   *
   * @param command program and arguments
   * @param environment variables set on top of what this process has
   * @param ports on 127.0.0.1 that it listens on and that must be free before it starts
   * @param readyUrl answers 200 once it is ready
   */
  record Spec(
      PartName name,
      List<String> command,
      Map<String, String> environment,
      List<Integer> ports,
      String readyUrl) {

    Spec {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
      ports = List.copyOf(ports);
    }

    /** Changes when the part would be started differently. */
    String fingerprint() {
      return Fingerprint.of(command + "\n" + new TreeMap<>(environment));
    }
  }

  public enum State {
    /** It was never started, or has ended, by {@code down} or otherwise. */
    STOPPED,
    /** It runs, but would now be started differently. */
    OUTDATED,
    UNREADY,
    READY
  }

  private record Run(ProcessIdentity process, String fingerprint) {}

  private final Spec spec;
  private final Path home;
  private final Path record;
  private final Path log;

  Part(Spec spec, ClusterConfig config) {
    this.spec = spec;
    this.home = config.home();
    this.record = record(config, spec.name());
    this.log = config.log(spec.name());
  }

  /** Where it is written which process a part is. */
  static Path record(ClusterConfig config, PartName part) {
    return config.home().resolve("run").resolve(part + ".properties");
  }

  public PartName name() {
    return spec.name();
  }

  public Optional<Long> pid() {
    return process().map(ProcessIdentity::pid);
  }

  public boolean isAlive() {
    return process().isPresent();
  }

  public boolean isReady() {
    return isAlive() && problem().isEmpty();
  }

  /** Why it is not ready, as its ready URL says; empty when it is. */
  Optional<String> problem() {
    return ReadyProbe.problem(spec.readyUrl());
  }

  /**
   * Starts it, unless it runs, in a session of its own, so that it outlives the terminal. Does not
   * wait until it is ready.
   *
   * @throws ClusterException when a port it needs is taken
   */
  public void start() {
    if (isAlive()) {
      return;
    }
    for (int port : spec.ports()) {
      requireFree(port);
    }
    try {
      Files.createDirectories(record.getParent());
      Files.createDirectories(log.getParent());
      rotate();
      List<String> command = new ArrayList<>(List.of("setsid"));
      command.addAll(spec.command());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(spec.environment());
      Process process = builder.start();
      Optional<ProcessIdentity> id = ProcessIdentity.of(process.pid());
      if (id.isPresent()) {
        Trees.writePrivate(
            record,
            "pid=%d%nstartTicks=%d%nbootId=%s%nfingerprint=%s%n"
                .formatted(
                    id.get().pid(), id.get().startTicks(), id.get().bootId(), spec.fingerprint()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + spec.name(), e);
    }
  }

  /** Waits until it is ready; says what its log says when it ends or takes too long. */
  public void awaitReady(Duration timeout) {
    Optional<String> problem =
        Poll.last(
            timeout,
            Poll.INTERVAL,
            () -> isAlive() ? problem() : Optional.of("it has ended"),
            it -> it.isEmpty() || !isAlive());
    if (problem.isPresent()) {
      throw new ClusterException(
          "%s does not get ready: %s.%nThe end of %s:%n%s"
              .formatted(name(), problem.get(), log, tail(log, 15)));
    }
  }

  /** Ends it: asks first, then kills after {@code grace}. */
  public void stop(Duration grace) {
    if (isAlive()) {
      terminate();
      awaitEnd(grace);
    }
  }

  /** Kills it without a warning (SIGKILL), as a fault would, and waits until it is gone. */
  public void kill() {
    process().ifPresent(ProcessIdentity::kill);
    Poll.until(Duration.ofSeconds(10), () -> pid().map(pid -> "pid " + pid + " is alive"));
    awaitPorts();
  }

  void terminate() {
    process().ifPresent(ProcessIdentity::terminate);
  }

  /** Kills it when it has not ended after {@code grace}. */
  void awaitEnd(Duration grace) {
    if (Poll.until(grace, () -> pid().map(pid -> "pid " + pid + " is alive")).isPresent()) {
      kill();
    } else {
      awaitPorts();
    }
  }

  /**
   * A process is dead as soon as its first thread is; the others hold its ports a moment longer.
   */
  void awaitPorts() {
    Poll.until(
        Duration.ofSeconds(5),
        () ->
            spec.ports().stream()
                .filter(port -> !isFree(port))
                .findFirst()
                .map(port -> "port " + port + " is taken"));
  }

  State state() {
    Optional<Run> run = run();
    if (run.isEmpty()) {
      return State.STOPPED;
    }
    if (!run.get().fingerprint().equals(spec.fingerprint())) {
      return State.OUTDATED;
    }
    return problem().isEmpty() ? State.READY : State.UNREADY;
  }

  private Optional<ProcessIdentity> process() {
    return run().map(Run::process);
  }

  /** Empty when it does not run, and when a crash left the record unreadable. */
  private Optional<Run> run() {
    Properties saved = new Properties();
    try (Reader reader = Files.newBufferedReader(record)) {
      saved.load(reader);
      ProcessIdentity process =
          new ProcessIdentity(
              Long.parseLong(saved.getProperty("pid", "")),
              Long.parseLong(saved.getProperty("startTicks", "")),
              saved.getProperty("bootId", ""));
      return Optional.of(new Run(process, saved.getProperty("fingerprint", "")))
          .filter(run -> run.process().isAlive());
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static String tail(Path log, int lines) {
    try {
      List<String> all =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "(cannot be read: " + e.getMessage() + ")";
    }
  }

  private void requireFree(int port) {
    if (!isFree(port)) {
      throw new ClusterException(
          "%s needs port %d on 127.0.0.1, which is taken. End the process that listens there, or choose other ports with %s=<first of %d>."
              .formatted(name(), port, ClusterConfig.PORT_BASE, Ports.COUNT));
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private void rotate() throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_LIMIT_BYTES) {
      Files.move(
          log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
