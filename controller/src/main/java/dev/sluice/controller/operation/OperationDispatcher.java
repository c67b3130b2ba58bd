package dev.sluice.controller.operation;

import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
   * @param address of Temporal, for messages
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

  /** What is known of a resource's workflow now. */
  public WorkflowState state(ResourceRef resource) {
    DispatchMemory memory = memories.get(resource.uid());
    return memory == null ? WorkflowState.NOTHING : memory.state(clock.instant(), resync);
  }

  /**
   * Begins to carry a decision out, unless another one for this resource is under way, or has been
   * carried out since the state that this one was decided from: whoever waits for that one is
   * called, and decides again.
   *
   * @param decidedFrom as {@link #state} gave it
   * @param done called, on another thread, when it is carried out or has failed
   */
  public void submit(
      ResourceRef resource, ReconcileAction decision, WorkflowState decidedFrom, Runnable done) {
    if (!(decision instanceof Start || decision instanceof Signal)) {
      return;
    }
    DispatchMemory memory = memories.computeIfAbsent(resource.uid(), uid -> new DispatchMemory());
    if (!memory.begin(decidedFrom)) {
      return;
    }
    try {
      threads.execute(() -> call(resource, decision, memory, done));
    } catch (RejectedExecutionException closing) {
      memory.end();
    }
  }

  /**
   * Forgets the answers to requests that the resource does not ask for any more. The others are
   * kept, also when they stand in the status: the status at hand may be an old one, and each
   * request is sent once.
   */
  public void keepAnswers(ResourceRef resource, Collection<Request> asked) {
    DispatchMemory memory = memories.get(resource.uid());
    if (memory != null) {
      memory.keepAnswers(asked);
    }
  }

  /** The resource is gone. */
  public void forget(ResourceRef resource) {
    memories.remove(resource.uid());
  }

  private void call(
      ResourceRef resource, ReconcileAction decision, DispatchMemory memory, Runnable done) {
    try (LogContext context = LogContext.of(resource)) {
      try {
        carryOut(resource, decision, memory);
      } catch (RuntimeException failed) {
        String why = TemporalFailure.describe(address, failed);
        LOG.warn("{}", why);
        LOG.debug("call to Temporal", failed);
        memory.failed(why);
      }
    } finally {
      memory.end();
      done.run();
    }
  }

  private void carryOut(ResourceRef resource, ReconcileAction decision, DispatchMemory memory) {
    if (decision instanceof Start start) {
      start(resource, start, memory);
    } else if (decision instanceof Signal signal) {
      signal(resource, signal, memory);
    }
  }

  private void start(ResourceRef resource, Start start, DispatchMemory memory) {
    if (start.unlessOpen() && temporal.isOpen(resource)) {
      memory.open(clock.instant());
      return;
    }
    temporal.start(resource, start);
    memory.started(start, clock.instant());
    LOG.info("Sent to Temporal: {}", start.run().summary());
  }

  private void signal(ResourceRef resource, Signal signal, DispatchMemory memory) {
    Request request = signal.request();
    if (signal.otherwise() != null) {
      temporal.signalOrStart(resource, request, signal.otherwise());
    } else if (!temporal.signal(resource, request)) {
      memory.notOpen(request);
      LOG.info("Ignored {}: no run is open", request.display());
      return;
    }
    memory.delivered(request, clock.instant());
    LOG.info("Sent to Temporal: {}", request.display());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
