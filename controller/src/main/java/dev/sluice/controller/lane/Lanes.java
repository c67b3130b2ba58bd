package dev.sluice.controller.lane;

import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.Decision.Signal;
import dev.sluice.controller.deployment.Decision.Start;
import dev.sluice.controller.deployment.LaneSeen;
import dev.sluice.controller.deployment.LaneSeen.Answer;
import dev.sluice.controller.deployment.Request;
import dev.sluice.workflows.resource.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Carries decisions out on a few threads of its own, so that no reconciliation ever waits for
 * Temporal, and remembers the answers. What it knows is lost with the process, on purpose: the
 * truth is in Temporal and in the status, and everything may be sent twice.
 */
public final class Lanes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);
  private static final int THREADS = 4;

  private final TemporalLane temporal;
  private final Clock clock;
  private final Duration resync;
  private final String address;
  private final ExecutorService threads;
  private final ConcurrentMap<String, LaneMemory> memories = new ConcurrentHashMap<>();

  /**
   * @param resync how long an open run is taken for granted
   * @param address of Temporal, for people
   */
  public Lanes(TemporalLane temporal, Clock clock, Duration resync, String address) {
    this.temporal = temporal;
    this.clock = clock;
    this.resync = resync;
    this.address = address;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            runnable -> {
              Thread thread = new Thread(runnable, "temporal-call");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** What is known of a resource's lane now. */
  public LaneSeen seen(ResourceRef resource) {
    LaneMemory memory = memories.get(resource.uid());
    return memory == null ? LaneSeen.NOTHING : memory.seen(clock.instant(), resync);
  }

  /**
   * Begins to carry a decision out, unless another one for this resource is under way.
   *
   * @param done called, on another thread, when it is carried out or has failed
   */
  public void submit(ResourceRef resource, Decision decision, Runnable done) {
    if (!(decision instanceof Start || decision instanceof Signal)) {
      return;
    }
    LaneMemory memory = memories.computeIfAbsent(resource.uid(), uid -> new LaneMemory());
    if (!memory.begin()) {
      return;
    }
    try {
      threads.execute(() -> call(resource, decision, memory, done));
    } catch (RejectedExecutionException closing) {
      memory.end();
    }
  }

  /** Drops the answers that the status has taken over. */
  public void forgetAnswers(ResourceRef resource, Predicate<Request> handled) {
    LaneMemory memory = memories.get(resource.uid());
    if (memory != null) {
      memory.forget(handled);
    }
  }

  /** The resource is gone. */
  public void forget(ResourceRef resource) {
    memories.remove(resource.uid());
  }

  private void call(ResourceRef resource, Decision decision, LaneMemory memory, Runnable done) {
    MDC.put("resource.namespace", resource.namespace());
    MDC.put("resource.name", resource.name());
    MDC.put("WorkflowId", resource.laneId());
    try {
      carryOut(resource, decision, memory);
    } catch (RuntimeException failed) {
      String why = TemporalTrouble.describe(address, failed);
      LOG.warn("{}", why);
      LOG.debug("call to Temporal", failed);
      memory.failed(why);
    } finally {
      memory.end();
      MDC.clear();
      done.run();
    }
  }

  private void carryOut(ResourceRef resource, Decision decision, LaneMemory memory) {
    if (decision instanceof Start start) {
      if (start.unlessOpen() && temporal.isOpen(resource)) {
        memory.open(clock.instant());
        return;
      }
      temporal.start(resource, start);
      memory.started(start, clock.instant());
      LOG.info("started or told: {}", start.summary());
    } else if (decision instanceof Signal signal) {
      boolean open = temporal.signal(resource, signal.request());
      memory.answered(signal.request(), open ? Answer.DELIVERED : Answer.NOT_OPEN);
      LOG.info(
          "{} {}: {}",
          signal.request().annotation(),
          signal.request().text(),
          open ? "handed to the open run" : "no run is open");
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
