package dev.sluice.local.cluster;

/**
 * How a part is.
 *
 * @param state for people and scripts: {@code running}, {@code not ready}, {@code outdated}, {@code
 *     stopped}
 * @param pid 0 when it does not run
 * @param residentMegabytes memory it holds; 0 when it does not run
 */
public record PartStatus(PartName name, String state, long pid, long residentMegabytes) {

  /** Whether it runs and answers. */
  public boolean isReady() {
    return state.equals("running") || state.equals("outdated");
  }
}
