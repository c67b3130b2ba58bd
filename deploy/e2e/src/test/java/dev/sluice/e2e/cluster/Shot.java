package dev.sluice.e2e.cluster;

/**
 * A process that is about to be killed. It was looked up before, so that the kill takes no time.
 *
 * @param process what is killed
 * @param bringBack starts it again where nothing else does, and returns when it is ready
 */
public record Shot(ProcessHandle process, Runnable bringBack) {

  /** Kills it without a warning. */
  public void fire() {
    process.destroyForcibly();
  }
}
