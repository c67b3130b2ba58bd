package dev.sluice.workflows.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.CutOver;

/**
 * What a spec says of transitions.
 *
 * @param stateless whether the new job starts without the state of the live one
 * @param graceMs how long the new child may take until it is ready and through its gates, in ms
 * @param deletionDelayMs how long the old child stays after the switch, in ms
 * @param onAbort what becomes of the new child when the transition is given up
 * @param gated whether there are gates before the switch
 * @param wantsRunning whether the spec says that the job runs, and not that it is suspended
 * @param cutOver whether the live job runs until the new one is live
 * @param summary one line on what is deployed, such as {@code flink:2.2, parallelism 2}; no secrets
 */
public record TransitionSettings(
    boolean stateless,
    long graceMs,
    long deletionDelayMs,
    AbortAction onAbort,
    boolean gated,
    boolean wantsRunning,
    CutOver cutOver,
    String summary) {

  /** Whether a transition that begins now stops the live job first. */
  @JsonIgnore
  public boolean exactlyOnce() {
    return cutOver == CutOver.EXACTLY_ONCE;
  }
}
