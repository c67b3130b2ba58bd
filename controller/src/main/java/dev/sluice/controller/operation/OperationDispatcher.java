package dev.sluice.controller.operation;

import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.Decision.Signal;
import dev.sluice.controller.deployment.Decision.Start;
import dev.sluice.controller.deployment.Request;
import dev.sluice.controller.deployment.WorkflowState;
import dev.sluice.controller.deployment.WorkflowState.Answer;
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
public final class OperationDispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OperationDispatcher.class);
  private static final int THREADS = 4;

  private final OperationClient temporal;
  private final Clock clock;
  private final Duration resync;
  private final String address;
  private final ExecutorService threads;
  private final ConcurrentMap<String, DispatchMemory> memories = new ConcurrentHashMap<>();

  /**
   * @param resync how long an open run is taken for granted
   * @param address of Temporal, for people
   */
  public OperationDispatcher(
      OperationClient temporal, Clock clock, Duration resync, String address) {
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
  public WorkflowState seen(ResourceRef resource) {
    DispatchMemory memory = memories.get(resource.uid());
    return memory == null ? WorkflowState.NOTHING : memory.seen(clock.instant(), resync);
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
    DispatchMemory memory = memories.computeIfAbsent(resource.uid(), uid -> new DispatchMemory());
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
    DispatchMemory memory = memories.get(resource.uid());
    if (memory != null) {
      memory.forget(handled);
    }
  }

  /** The resource is gone. */
  public void forget(ResourceRef resource) {
    memories.remove(resource.uid());
  }

  private void call(ResourceRef resource, Decision decision, DispatchMemory memory, Runnable done) {
    MDC.put("resource.namespace", resource.namespace());
    MDC.put("resource.name", resource.name());
    MDC.put("WorkflowId", resource.laneId());
    try {
      carryOut(resource, decision, memory);
    } catch (RuntimeException failed) {
      String why = TemporalFailure.describe(address, failed);
      LOG.warn("{}", why);
      LOG.debug("call to Temporal", failed);
      memory.failed(why);
    } finally {
      memory.end();
      MDC.clear();
      done.run();
    }
  }

  private void carryOut(ResourceRef resource, Decision decision, DispatchMemory memory) {
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
