package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries decisions out at Temporal. Decisions depend on the status alone; what is remembered here
 * only spaces calls that are repeated, and is lost with the process: everything may be sent twice.
 */
public final class OperationDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(OperationDispatcher.class);

  /** When to decide again after a request was answered. */
  private static final Duration NEXT = Duration.ofMillis(1);

  private final OperationCalls temporal;
  private final Clock clock;
  private final ReconcileIntervals intervals;
  private final ConcurrentMap<String, Sent> sent = new ConcurrentHashMap<>();

  /**
   * @param intervals how often a call is repeated, and when one that failed is tried again
   */
  public OperationDispatcher(OperationCalls temporal, Clock clock, ReconcileIntervals intervals) {
    this.temporal = temporal;
    this.clock = clock;
    this.intervals = intervals;
  }

  /**
   * The result of a dispatch.
   *
   * @param learned what Temporal answered; null when it was not called
   * @param review when to decide again, though nothing happens; null when that is not needed
   */
  public record Dispatched(@Nullable TemporalAnswers learned, @Nullable Duration review) {}

  /**
   * Carries a decision out: blocks for one call at most. One that is repeated is made once in each
   * {@code spacing}, and as a check, because what was signalled is in the history of the run.
   */
  public Dispatched dispatch(ResourceRef resource, ReconcileAction decision, Duration spacing) {
    if (!decision.needsTemporal()) {
      return new Dispatched(null, null);
    }
    Instant now = clock.instant();
    Call call = Call.of(decision);
    Sent before = sent.get(key(resource, call.request));
    boolean repeated = before != null && before.call.equals(call);
    if (before != null && repeated) {
      if (call.request != null) { // the status with the answer was not written
        return new Dispatched(TemporalAnswers.answered(call.request, before.answer), spacing);
      }
      Instant due = before.at.plus(spacing);
      if (now.isBefore(due)) {
        return new Dispatched(null, Duration.between(now, due));
      }
    }
    try {
      Answer answer = carryOut(resource, decision, repeated);
      sent.put(key(resource, call.request), new Sent(call, clock.instant(), answer));
      return new Dispatched(
          TemporalAnswers.answered(call.request, answer), call.request == null ? spacing : NEXT);
    } catch (TemporalFailure failed) {
      return failed(failed);
    }
  }

  private Dispatched failed(TemporalFailure failed) {
    if (failed.why() == null) {
      return new Dispatched(null, intervals.temporalRetry()); // too many are under way
    }
    LOG.warn("{}", failed.why());
    LOG.debug("call to Temporal", failed);
    return new Dispatched(new TemporalAnswers(Map.of(), failed.why()), intervals.temporalRetry());
  }

  private @Nullable Answer carryOut(
      ResourceRef resource, ReconcileAction decision, boolean repeated) {
    if (decision instanceof Signal signal) {
      return signal(resource, signal);
    }
    EnsureOpen start = (EnsureOpen) decision;
    if (start.unlessOpen() || repeated) {
      temporal.ensureOpen(resource, start.run());
    } else {
      temporal.start(resource, start);
      LOG.info("Sent to Temporal: {}", start.run().summary());
    }
    return start.request() == null ? null : Answer.STARTED;
  }

  private Answer signal(ResourceRef resource, Signal signal) {
    Request request = signal.request();
    if (signal.otherwise() != null) {
      temporal.signalOrStart(resource, request, signal.otherwise(), signal.newest());
      if (signal.newest() != null) {
        Call first = new Call(signal.otherwise().type(), signal.newest(), null);
        sent.put(key(resource, null), new Sent(first, clock.instant(), null));
      }
    } else if (!temporal.signal(resource, request)) {
      LOG.info("Ignored {}: no run is open", request.display());
      return Answer.NOT_OPEN;
    }
    LOG.info("Sent to Temporal: {}", request.display());
    return Answer.DELIVERED;
  }

  /** The resource is gone. */
  public void forget(ResourceRef resource) {
    sent.keySet().removeIf(it -> it.startsWith(key(resource, null)));
  }

  /** One for what the spec asks for, one for each annotation. */
  private static String key(ResourceRef resource, @Nullable Request request) {
    return resource.laneId() + " " + (request == null ? "" : request.kind().annotation());
  }

  private record Sent(Call call, Instant at, @Nullable Answer answer) {}

  /** What makes a call the same as another one; its texts may differ. */
  private record Call(
      @Nullable OperationType type, @Nullable Long newest, @Nullable Request request) {

    static Call of(ReconcileAction decision) {
      return decision instanceof EnsureOpen start
          ? new Call(start.run().type(), start.newest(), start.request())
          : new Call(null, null, ((Signal) decision).request());
    }
  }
}
