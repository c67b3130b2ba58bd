package dev.sluice.controller.operation;

import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.DispatchMemory.Turn;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * Temporal, and remembers the answers. Checks of open runs have threads apart, so that no decision
 * waits for them, and so have calls for runs that Temporal cannot get at, which are made in turn.
 * What it knows is lost with the process, on purpose: the truth is in Temporal and in the status,
 * and everything may be sent twice.
 */
public final class OperationDispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OperationDispatcher.class);
  private static final int THREADS = 4;
  private static final int CHECKING_THREADS = 2;
  private static final int TRYING_THREADS = 4;

  private final OperationCalls temporal;
  private final Clock clock;
  private final ReconcileIntervals intervals;
  private final String address;
  private final TemporalGate gate;
  private final ExecutorService threads = threads(THREADS, "temporal-call");
  private final ExecutorService checks = threads(CHECKING_THREADS, "temporal-check");
  private final ExecutorService tries = threads(TRYING_THREADS, "temporal-try");
  private final ConcurrentMap<String, DispatchMemory> memories = new ConcurrentHashMap<>();

  /**
   * @param intervals how long an open run is taken for granted, and when a call is tried again
   * @param address of Temporal, for messages
   */
  public OperationDispatcher(
      OperationCalls temporal, Clock clock, ReconcileIntervals intervals, String address) {
    this.temporal = temporal;
    this.clock = clock;
    this.intervals = intervals;
    this.address = address;
    Duration between = intervals.temporalRetry().plus(intervals.resync());
    this.gate = new TemporalGate(intervals.temporalRetry(), between.multipliedBy(2));
  }

  private static ExecutorService threads(int number, String name) {
    return Executors.newFixedThreadPool(
        number,
        runnable -> {
          Thread thread = new Thread(runnable, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** What is known of a resource's workflow now. */
  public WorkflowState state(ResourceRef resource) {
    DispatchMemory memory = memories.get(resource.laneId());
    Instant now = clock.instant();
    WorkflowState known = memory == null ? WorkflowState.NOTHING : memory.state(now);
    return known.orUnavailable(gate.shut(now));
  }

  /**
   * Begins to carry a decision out, unless another one for this resource is under way, or has been
   * carried out since the state that this one was decided from: whoever waits for that one is
   * called, and decides again. A check that waits for a thread gives way. What Temporal refused is
   * not sent again for a while, and while it does not answer, one call of all resources in each
   * while finds out: the caller comes back.
   *
   * @param decidedFrom as {@link #state} gave it
   * @param done called, on another thread, when it is carried out or has failed
   */
  public void submit(
      ResourceRef resource, ReconcileAction decision, WorkflowState decidedFrom, Runnable done) {
    if (!(decision instanceof Start || decision instanceof Signal)) {
      return;
    }
    Instant now = clock.instant();
    DispatchMemory memory =
        memories.computeIfAbsent(resource.laneId(), lane -> new DispatchMemory(intervals));
    Turn turn = memory.begin(decidedFrom, decision, now);
    if (turn == null) {
      return;
    }
    boolean findsOut = gate.shut(now) != null;
    if (!gate.admits(resource.laneId(), now)) {
      gate.waits(resource.laneId(), done);
      memory.end(turn);
      gate.insteadOf(resource.laneId(), now).ifPresent(Runnable::run);
      return;
    }
    try {
      threads(decision, turn)
          .execute(
              () -> {
                if (memory.take(turn)) {
                  call(resource, decision, memory, turn, findsOut, done);
                }
              });
    } catch (RejectedExecutionException closing) {
      memory.end(turn);
    }
  }

  private ExecutorService threads(ReconcileAction decision, Turn turn) {
    if (turn.isAfterSilence()) {
      return tries;
    }
    return decision.isCheck() ? checks : threads;
  }

  /**
   * Forgets the answers to requests that the resource does not ask for any more. The others are
   * kept, also when they stand in the status: the status at hand may be an old one, and each
   * request is sent once.
   */
  public void keepAnswers(ResourceRef resource, Collection<Request> asked) {
    DispatchMemory memory = memories.get(resource.laneId());
    if (memory != null) {
      memory.keepAnswers(asked);
    }
  }

  /** The resource is gone. */
  public void forget(ResourceRef resource) {
    memories.remove(resource.laneId());
    gate.forget(resource.laneId());
  }

  private void call(
      ResourceRef resource,
      ReconcileAction decision,
      DispatchMemory memory,
      Turn turn,
      boolean findsOut,
      Runnable done) {
    try (LogContext context = LogContext.of(resource)) {
      if (!findsOut && gate.shut(clock.instant()) != null) {
        gate.waits(resource.laneId(), done); // Temporal has become silent while this was queued
        return;
      }
      Instant began = clock.instant();
      try {
        carryOut(resource, decision, memory);
        answered(resource);
      } catch (RuntimeException failed) {
        failed(resource, decision, memory, failed, began);
      }
    } finally {
      memory.end(turn);
      done.run();
    }
  }

  private void failed(
      ResourceRef resource,
      ReconcileAction decision,
      DispatchMemory memory,
      RuntimeException failed,
      Instant began) {
    String why = TemporalFailure.describe(address, failed);
    LOG.warn("{}", why);
    LOG.debug("call to Temporal", failed);
    Instant now = clock.instant();
    if (!TemporalFailure.isSilence(failed)) {
      memory.refused(decision, why, now);
      answered(resource);
    } else if (!gate.silent(resource.laneId(), why, began, now)) {
      memory.unanswered(decision, why, began, now);
    }
  }

  /** Who waited for Temporal decides again. */
  private void answered(ResourceRef resource) {
    gate.answered(resource.laneId(), clock.instant()).forEach(Runnable::run);
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
      memory.foundOpen(clock.instant());
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
    checks.shutdownNow();
    tries.shutdownNow();
  }
}
