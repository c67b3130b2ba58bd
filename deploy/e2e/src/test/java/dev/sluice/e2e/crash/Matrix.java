package dev.sluice.e2e.crash;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.Shot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs the rounds. All operations of a round are held at their next points; one process is killed;
 * they go on at once, while it is away; and so on to their ends.
 */
final class Matrix implements AutoCloseable {

  /**
   * One that is held does not wait longer for others. Short steps are given to another worker after
   * 10 s, and that is not what is looked at here.
   */
  private static final Duration GATHERING = Duration.ofSeconds(4);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final long DELAY_OF_A_STEP_NANOS = Duration.ofMillis(20).toNanos();
  private static final long DELAY_OF_A_WAIT_NANOS = Duration.ofMillis(500).toNanos();
  private static final List<String> WAITS =
      List.of("StopWithSavepoint", "CancelJob", "DeleteCluster", "AwaitJobManager", "AwaitRunning");

  private final Scene scene;
  private final Random random;
  private final Map<String, Survivor> survivors = new HashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private int rounds;

  Matrix(Scene scene, long seed) {
    this.scene = scene;
    this.random = new Random(seed);
  }

  /** Runs a round to its end, whatever comes of it. */
  List<Result> run(Round round) {
    rounds++;
    List<Track> tracks = round.shares().stream().map(it -> track(round, it)).toList();
    Kills kills = new Kills(scene.cluster(), round.victim());
    together(tracks, Track::prepare);
    together(tracks, Track::begin);
    while (tracks.stream().anyMatch(Track::isGoing)) {
      List<Track> held = gather(tracks);
      if (!held.isEmpty()) {
        kill(kills, held);
      }
    }
    together(tracks, Track::verify);
    return results(round, tracks);
  }

  private Track track(Round round, Round.Share share) {
    String name = "line-%d-%s".formatted(share.line(), share.moment());
    Survivor survivor = survivors.computeIfAbsent(name, it -> new Survivor(scene, it));
    boolean disturbed = round.victim().disturbsJobs();
    return new Track(survivor, share, survivor.verification(share.operation(), disturbed));
  }

  /** Those that are held, as soon as all that go on are, or have been waited for long enough. */
  private static List<Track> gather(List<Track> tracks) {
    while (true) {
      tracks.forEach(Track::look);
      List<Track> held = tracks.stream().filter(it -> it.held().isPresent()).toList();
      boolean all = tracks.stream().filter(Track::isGoing).allMatch(it -> it.held().isPresent());
      boolean longEnough =
          held.stream().anyMatch(it -> it.sinceProgress().compareTo(GATHERING) > 0);
      if (all || longEnough) {
        return held;
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  private void kill(Kills kills, List<Track> held) {
    Map<Track, Shot> shots = kills.aim(held);
    held.stream().filter(it -> !shots.containsKey(it)).forEach(Track::notThere);
    List<Track> targets = List.copyOf(shots.keySet());
    letGoOn(targets.stream().filter(it -> it.moment() == KillMoment.DURING).toList());
    List<Shot> distinct = List.copyOf(new LinkedHashSet<>(shots.values()));
    distinct.forEach(Shot::fire);
    targets.forEach(Track::killed);
    distinct.forEach(it -> it.bringBack().run());
  }

  /** Returns when they are in the middle of their steps, as far as anybody can say. */
  private void letGoOn(List<Track> during) {
    if (during.isEmpty()) {
      return;
    }
    during.forEach(Track::release);
    long giveUp = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    while (!during.stream().allMatch(Track::isPassed) && System.nanoTime() < giveUp) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    boolean waits =
        during.stream()
            .allMatch(it -> it.held().filter(p -> WAITS.contains(p.step().type())).isPresent());
    LockSupport.parkNanos(
        (long) (random.nextDouble() * (waits ? DELAY_OF_A_WAIT_NANOS : DELAY_OF_A_STEP_NANOS)));
  }

  private List<Result> results(Round round, List<Track> tracks) {
    boolean failed = tracks.stream().anyMatch(it -> it.failure().isPresent());
    Path folder =
        Path.of("target", "failures", "crash-matrix-%d-%s".formatted(rounds, round.victim()))
            .toAbsolutePath();
    if (failed) {
      scene.cluster().collectEvidence(folder);
    }
    List<Result> results =
        tracks.stream()
            .flatMap(
                it -> it.results("Logs, events, objects and histories are in " + folder).stream())
            .toList();
    tracks.stream().filter(it -> it.failure().isPresent()).forEach(it -> it.survivor().giveUp());
    return results;
  }

  private void together(List<Track> tracks, Consumer<Track> work) {
    CompletableFuture.allOf(
            tracks.stream()
                .map(it -> CompletableFuture.runAsync(() -> work.accept(it), threads))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
