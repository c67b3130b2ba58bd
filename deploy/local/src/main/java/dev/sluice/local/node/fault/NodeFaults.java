package dev.sluice.local.node.fault;

import dev.sluice.local.node.StateFolder;
import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.pod.PodRecord;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Makes the local node's world a worse place, from a test or by hand. Each call returns once the
 * node has taken the fault up, and fails when it does not within 20 s (the node is not running).
 */
public final class NodeFaults {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final StateFolder state;
  private final FaultFiles files;

  /**
   * @param stateFolder the node's folder ({@code SLUICE_NODE_HOME})
   */
  public NodeFaults(Path stateFolder) {
    this.state = new StateFolder(stateFolder);
    this.files = new FaultFiles(state.faults());
  }

  /** Images that cannot be pulled from now on; {@code *} stands for anything. */
  public void refuseImage(String image) throws IOException, InterruptedException {
    change(
        f ->
            new Faults(
                f.generation(),
                plus(f.refusedImages(), image),
                f.refusedPods(),
                f.heldPods(),
                f.services()));
  }

  /** Containers of these pods are not started from now on (RunContainerError). */
  public void refuseToStart(PodPattern pods) throws IOException, InterruptedException {
    change(
        f ->
            new Faults(
                f.generation(),
                f.refusedImages(),
                plus(f.refusedPods(), pods),
                f.heldPods(),
                f.services()));
  }

  /** These pods are not bound from now on: they stay Pending. */
  public void holdPending(PodPattern pods) throws IOException, InterruptedException {
    change(
        f ->
            new Faults(
                f.generation(),
                f.refusedImages(),
                f.refusedPods(),
                plus(f.heldPods(), pods),
                f.services()));
  }

  /** The Service's address takes connections and bytes and passes nothing on. */
  public void stall(String namespace, String service) throws IOException, InterruptedException {
    service(namespace, service, ServiceFault.STALL);
  }

  /** The Service's open connections are cut, new ones refused. */
  public void drop(String namespace, String service) throws IOException, InterruptedException {
    service(namespace, service, ServiceFault.DROP);
  }

  /** Takes all faults back: held pods are bound, stalled bytes arrive. */
  public void clear() throws IOException, InterruptedException {
    change(f -> new Faults(f.generation(), List.of(), List.of(), List.of(), Map.of()));
  }

  /** The faults asked for. */
  public Faults current() throws IOException {
    return files.read();
  }

  /**
   * Sends a signal to the first process of a pod's container.
   *
   * @param signal a name without SIG: KILL, TERM, STOP, CONT
   * @throws IOException when there is no such container, or it has never been started
   */
  public void kill(String namespace, String pod, String container, String signal)
      throws IOException, InterruptedException {
    Signals.send(attempt(namespace, pod, container), signal);
  }

  /** The process id of a pod's container; for a look at it, or to wait for its end. */
  public long pid(String namespace, String pod, String container) throws IOException {
    return attempt(namespace, pod, container)
        .process()
        .orElseThrow(() -> new IOException("No process yet in " + pod + "/" + container))
        .pid();
  }

  private Attempt attempt(String namespace, String pod, String container) throws IOException {
    for (PodRecord.Kept kept : PodRecord.readAll(state.pods())) {
      PodRecord record = kept.record();
      if (record.namespace().equals(namespace) && record.name().equals(pod)) {
        return new ContainerFolder(kept.folder().resolve(container))
            .newest()
            .orElseThrow(
                () -> new IOException("Container " + container + " of " + pod + " never started"));
      }
    }
    throw new IOException("The node has no pod " + namespace + "/" + pod);
  }

  private void service(String namespace, String service, ServiceFault fault)
      throws IOException, InterruptedException {
    change(
        f -> {
          Map<String, ServiceFault> services = new HashMap<>(f.services());
          services.put(namespace + "/" + service, fault);
          return new Faults(
              f.generation(), f.refusedImages(), f.refusedPods(), f.heldPods(), services);
        });
  }

  private void change(UnaryOperator<Faults> change) throws IOException, InterruptedException {
    Faults next = change.apply(files.read());
    long generation = next.generation() + 1;
    files.write(
        new Faults(
            generation,
            next.refusedImages(),
            next.refusedPods(),
            next.heldPods(),
            next.services()));
    Instant limit = Instant.now().plus(PATIENCE);
    while (files.applied() < generation) {
      if (Instant.now().isAfter(limit)) {
        throw new IOException(
            "The local node has not taken up faults "
                + generation
                + " in "
                + PATIENCE.toSeconds()
                + " s: does it run on "
                + state.root()
                + "?");
      }
      Thread.sleep(20);
    }
  }

  private static <T> List<T> plus(List<T> list, T more) {
    List<T> all = new ArrayList<>(list);
    all.add(more);
    return all;
  }
}
