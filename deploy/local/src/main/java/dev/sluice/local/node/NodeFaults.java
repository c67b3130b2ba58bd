package dev.sluice.local.node;

import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.pod.PodRecord;
import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes the local node's world a worse place, from a test or by hand. */
public final class NodeFaults {
  private final StateFolder state;

  /**
   * @param stateFolder the node's folder ({@code SLUICE_NODE_HOME})
   */
  public NodeFaults(Path stateFolder) {
    this.state = new StateFolder(stateFolder);
  }

  /** An image that cannot be pulled from now on. */
  public void refuseImage(String image) throws IOException {
    Files.writeString(
        state.refusedImages(),
        image + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Lets all images be pulled again. */
  public void clear() throws IOException {
    Files.deleteIfExists(state.refusedImages());
  }

  /**
   * Sends a signal to the first process of a pod's container.
   *
   * @param signal a name without SIG: KILL, TERM, STOP, CONT
   * @throws IOException when there is no such container, or it has never been started
   */
  public void kill(String namespace, String pod, String container, String signal)
      throws IOException, InterruptedException {
    attempt(namespace, pod, container).send(signal);
  }

  /** The process id of a pod's container; for a look at it, or to wait for its end. */
  public long pid(String namespace, String pod, String container) throws IOException {
    return attempt(namespace, pod, container)
        .process()
        .orElseThrow(() -> new IOException("No process yet in " + pod + "/" + container))
        .pid();
  }

  private Attempt attempt(String namespace, String pod, String container) throws IOException {
    for (PodRecord record : PodRecord.readAll(state.pods())) {
      if (record.namespace().equals(namespace) && record.name().equals(pod)) {
        return new ContainerFolder(record.folder(state.pods()).resolve(container))
            .newest()
            .orElseThrow(
                () -> new IOException("Container " + container + " of " + pod + " never started"));
      }
    }
    throw new IOException("The node has no pod " + namespace + "/" + pod);
  }
}
