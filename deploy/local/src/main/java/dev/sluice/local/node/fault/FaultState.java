package dev.sluice.local.node.fault;

import java.io.IOException;

/** The faults that the node has taken up. */
public final class FaultState {
  private final FaultFiles files;
  private volatile Faults faults = Faults.NONE;

  public FaultState(FaultFiles files) {
    this.files = files;
  }

  /** The faults that hold. */
  public Faults current() {
    return faults;
  }

  /** Reads them anew. */
  public Faults read() throws IOException {
    faults = files.read();
    return faults;
  }

  /** Says that these have been taken up wherever they matter. */
  public void takenUp(Faults taken) throws IOException {
    files.applied(taken.generation());
  }
}
