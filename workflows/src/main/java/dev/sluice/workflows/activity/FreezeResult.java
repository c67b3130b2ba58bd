package dev.sluice.workflows.activity;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.WithMethods;
import dev.sluice.workflows.model.Observation;
import org.jspecify.annotations.Nullable;

/** The result of a freeze. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FreezeResult.Frozen.class, name = "Frozen"),
  @JsonSubTypes.Type(value = FreezeResult.Changed.class, name = "Changed"),
  @JsonSubTypes.Type(value = FreezeResult.Invalid.class, name = "Invalid")
})
public sealed interface FreezeResult {

  /**
   * The target as it stands in the status now.
   *
   * @param target its generation and how it is restored
   * @param readinessTimeoutMs how long the new cluster may take until every task is up, in ms
   *     ({@code kubernetes.operator.deployment.readiness.timeout}, 5 min)
   * @param summary one line on what it is, e.g. {@code flink:2.2, parallelism 2}; no secrets
   * @param rollsBack an upgrade to it that does not come up is rolled back by itself ({@code
   *     kubernetes.operator.deployment.rollback.enabled}, false); never where the last stable spec
   *     is suspended
   * @param stableAfter what must be so before its job counts as stable; null when every task being
   *     up is enough
   * @param afterStateless the last stable spec is stateless: its job may start empty again
   * @param warning what Kubernetes could not check of it; null when it has checked everything
   */
  @WithMethods
  record Frozen(
      Observation.Target target,
      long readinessTimeoutMs,
      String summary,
      boolean rollsBack,
      @Nullable StableAfter stableAfter,
      boolean afterStateless,
      @Nullable String warning)
      implements FreezeResult, FreezeResultFrozenBuilder.With {
    /** One of which nothing else is known. */
    public Frozen(
        Observation.Target target, long readinessTimeoutMs, String summary, boolean rollsBack) {
      this(target, readinessTimeoutMs, summary, rollsBack, null, false, null);
    }
  }

  /**
   * The newest spec is another one than was planned for: observe and plan again.
   *
   * @param generation of the newest spec
   */
  record Changed(long generation) implements FreezeResult {}

  /**
   * The spec cannot be deployed.
   *
   * @param problem why, with the field's path
   * @param byRule whether it breaks a rule, as an observation would tell; otherwise Kubernetes
   *     refuses what is made from it, or there is nothing to go back to
   */
  record Invalid(String problem, boolean byRule) implements FreezeResult {

    /** One that breaks no rule. */
    public Invalid(String problem) {
      this(problem, false);
    }
  }
}
