package dev.sluice.controller.support;

import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationCalls;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalFailure;
import dev.sluice.workflows.model.ResourceRef;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Temporal as the dispatcher sees it, which answers or fails. */
public final class TemporalCallsStandIn implements OperationCalls {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable TemporalFailure failure;
  private volatile boolean open = true;

  /** From now on every call is answered. */
  public void answers() {
    failure = null;
  }

  /** From now on every call fails with this. */
  public void fails(TemporalFailure with) {
    failure = with;
  }

  /** From now on no run is open. */
  public void hasNoRun() {
    open = false;
  }

  /** Those that were made: {@code start orders-1}. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void ensureOpen(ResourceRef resource, NewRun run) {
    answer("check", resource);
  }

  @Override
  public void start(ResourceRef resource, EnsureOpen start) {
    answer("start", resource);
  }

  @Override
  public void signalOrStart(
      ResourceRef resource, Request request, NewRun otherwise, @Nullable Long newest) {
    answer("signal", resource);
  }

  @Override
  public boolean signal(ResourceRef resource, Request request) {
    answer("signal", resource);
    return open;
  }

  private void answer(String call, ResourceRef resource) {
    calls.add(call + " " + resource.name());
    TemporalFailure with = failure;
    if (with != null) {
      throw with;
    }
  }
}
