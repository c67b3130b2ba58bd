package dev.sluice.local.node.probe;

import org.jspecify.annotations.Nullable;

/**
 * What the probes of a container say.
 *
 * @param started whether the startup probe has succeeded; true without one
 * @param ready whether the readiness probe succeeds; true without one once started
 * @param unhealthy why the container has to be restarted; null while it need not
 */
public record Health(boolean started, boolean ready, @Nullable String unhealthy) {
  /** Of a container that runs without probes. */
  public static final Health GOOD = new Health(true, true, null);

  /** Of a container that does not run. */
  public static final Health NONE = new Health(false, false, null);
}
