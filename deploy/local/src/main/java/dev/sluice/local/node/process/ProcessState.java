package dev.sluice.local.node.process;

import java.time.Instant;

/** What became of one attempt to run a container. */
public sealed interface ProcessState {

  /** Launched; its process is not known yet. */
  record Starting() implements ProcessState {}

  /**
   * @param pid the leader of the container's process group
   * @param startedAt when it was started
   */
  record Running(long pid, Instant startedAt) implements ProcessState {}

  /**
   * @param exitCode 0-255; 128+n after signal n
   * @param reason {@code Completed}, {@code Error}, or {@code ContainerStatusUnknown} when nobody
   *     was there to see it end (the kubelet's words)
   */
  record Ended(int exitCode, String reason, Instant startedAt, Instant finishedAt)
      implements ProcessState {
    public boolean succeeded() {
      return exitCode == 0;
    }
  }
}
