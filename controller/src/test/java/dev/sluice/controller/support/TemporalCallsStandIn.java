package dev.sluice.controller.support;

import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationCalls;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.workflows.model.ResourceRef;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Temporal as the dispatcher sees it, which answers, refuses, is silent or keeps it waiting. */
public final class TemporalCallsStandIn implements OperationCalls {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable Status failure;
  private volatile CountDownLatch checks = new CountDownLatch(0);
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private volatile CountDownLatch deadline = new CountDownLatch(0);

  /** From now on every call is answered, and those that are held. */
  public void answers() {
    failure = null;
    checks.countDown();
    silent.clear();
    deadline.countDown();
  }

  /** From now on no call for that resource is answered, as on a shard that is dead. */
  public void isSilentFor(ResourceRef resource) {
    silent.add(resource.name());
  }

  /** From now on such calls are under way until {@link #deadlineComes}. */
  public void holdsTheSilent() {
    deadline = new CountDownLatch(1);
  }

  /** Those that are under way fail. */
  public void deadlineComes() {
    deadline.countDown();
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
    await(checks);
    failIfSo();
    failIfSilent(resource);
    return true;
  }

  private static void await(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(String call, ResourceRef resource) {
    calls.add(call + " " + resource.name());
    failIfSo();
    failIfSilent(resource);
  }

  private void failIfSilent(ResourceRef resource) {
    if (silent.contains(resource.name())) {
      await(deadline);
      throw Status.DEADLINE_EXCEEDED.asRuntimeException();
    }
  }

  private void failIfSo() {
    Status status = failure;
    if (status != null) {
      throw status.asRuntimeException();
    }
  }
}
