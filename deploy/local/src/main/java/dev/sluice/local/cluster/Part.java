package dev.sluice.local.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One process of the cluster. What is known of it is on disk, so that any process may look after
 * it.
 */
public final class Part {

  private static final long LOG_LIMIT_BYTES = 20L << 20;

  private final PartSpec spec;
  private final Path home;
  private final Path record;
  private final Path log;

  Part(PartSpec spec, ClusterConfig config) {
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

  /** Its pid while it runs. */
  public Optional<Long> pid() {
    return process().map(ProcessIdentity::pid);
  }

  public boolean isAlive() {
    return process().isPresent();
  }

  /** Whether it answers. */
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
        new RunRecord(id.get(), spec.fingerprint()).write(record);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + spec.name(), e);
    }
  }

  /** Waits until it is ready; says what its log says when it ends or takes too long. */
  public void awaitReady(Duration timeout) {
    Optional<String> problem =
        Poll.until(
            timeout, () -> isAlive() ? problem() : Optional.of("it has ended"), this::isGone);
    if (problem.isPresent()) {
      throw new ClusterException(
          "%s does not get ready: %s.%nThe end of %s:%n%s"
              .formatted(name(), problem.get(), log, LogTail.of(log, 15)));
    }
  }

  /** Ends it: asks first, then kills after {@code grace}. */
  public void stop(Duration grace) {
    terminate();
    awaitEnd(grace);
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
                .filter(port -> !PortOwner.isFree(port))
                .findFirst()
                .map(port -> "port " + port + " is taken"));
  }

  /** What is running: for the plan. */
  PartObservation observe() {
    Optional<RunRecord> run = RunRecord.read(record);
    if (run.isEmpty()) {
      return PartObservation.NEVER_STARTED;
    }
    if (!run.get().process().isAlive()) {
      return PartObservation.ENDED;
    }
    if (!run.get().fingerprint().equals(spec.fingerprint())) {
      return PartObservation.OUTDATED;
    }
    return problem().isEmpty() ? PartObservation.READY : PartObservation.UNREADY;
  }

  private boolean isGone() {
    return !isAlive();
  }

  private Optional<ProcessIdentity> process() {
    return RunRecord.read(record).map(RunRecord::process).filter(ProcessIdentity::isAlive);
  }

  private void requireFree(int port) {
    if (!PortOwner.isFree(port)) {
      throw new ClusterException(
          "%s needs port %d on 127.0.0.1, which is taken by %s. End that process, or choose other ports with %s=<first of %d>."
              .formatted(
                  name(), port, PortOwner.describe(port), ClusterConfig.PORT_BASE, Ports.COUNT));
    }
  }

  private void rotate() throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_LIMIT_BYTES) {
      Files.move(
          log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
