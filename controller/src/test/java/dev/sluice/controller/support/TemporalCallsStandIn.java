package dev.sluice.controller.support;

import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationCalls;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.workflows.model.ResourceRef;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Temporal as the dispatcher sees it, which answers, refuses, is silent or keeps it waiting. */
public final class TemporalCallsStandIn implements OperationCalls {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable Status failure;
  private volatile CountDownLatch checks = new CountDownLatch(0);

  /** From now on every call is answered, and those that are held. */
  public void answers() {
    failure = null;
    checks.countDown();
  }

  /** From now on every call fails with this, and those that are held. */
  public void fails(Status status) {
    failure = status;
    checks.countDown();
  }

  /** From now on no question for an open run is answered. */
  public void holdsChecks() {
    checks = new CountDownLatch(1);
  }

  /** Those that were made: {@code start orders-1}. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void start(ResourceRef resource, Start start) {
    answer("start", resource);
  }

  @Override
  public void signalOrStart(ResourceRef resource, Request request, NewRun otherwise) {
    answer("signal", resource);
  }

  @Override
  public boolean signal(ResourceRef resource, Request request) {
    answer("signal", resource);
    return true;
  }

  @Override
  public boolean isOpen(ResourceRef resource) {
    calls.add("check " + resource.name());
    try {
      checks.await();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
    failIfSo();
    return true;
  }

  private void answer(String call, ResourceRef resource) {
    calls.add(call + " " + resource.name());
    failIfSo();
  }

  private void failIfSo() {
    Status status = failure;
    if (status != null) {
      throw status.asRuntimeException();
    }
  }
}
