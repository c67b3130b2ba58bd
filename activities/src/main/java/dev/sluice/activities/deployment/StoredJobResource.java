package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.DeployedSpec;
import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StatusFacts;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.validation.Violation;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A resource whose spec has a job, as it was read.
 *
 * @param <T> its spec at one generation
 */
public abstract class StoredJobResource<T extends DeployedSpec> implements StoredResource {

  private final ObjectMeta metadata;
  private final @Nullable JobSpec job;
  private final OwnedStatus status;
  private final Function<String, Optional<T>> parse;
  private final Starts starts;
  private final StatusFacts facts;
  private final @Nullable T deployed;
  private final @Nullable T lastStable;
  private StartSnapshot.@Nullable Start start;

  /**
   * How a job starts where the resource does not say it all.
   *
   * @param snapshots looks up what the spec names to start from
   * @param stableAfter what must be so before the job counts as stable
   */
  public record Starts(StartSnapshot snapshots, StableAfter stableAfter) {}

  /**
   * @param job of the newest spec; null when it has none
   * @param parse reads a spec as it stands in the status; empty when it cannot be read: written by
   *     hand, or by an operator that is newer
   */
  protected StoredJobResource(
      ObjectMeta metadata,
      @Nullable JobSpec job,
      JobResourceStatus status,
      Function<String, Optional<T>> parse,
      Starts starts) {
    this.metadata = metadata;
    this.job = job;
    this.status = OwnedStatus.of(status);
    this.parse = parse;
    this.starts = starts;
    this.deployed = parsedOrNull(this.status.reconciliation().lastReconciledSpec());
    this.lastStable = parsedOrNull(this.status.reconciliation().lastStableSpec());
    this.facts = new StatusFacts(this.status, status.jobStatus(), this.deployed, this.lastStable);
  }

  private @Nullable T parsedOrNull(@Nullable String json) {
    return json == null ? null : parse.apply(json).orElse(null);
  }

  /** What is wrong with the newest spec. */
  protected abstract List<Violation> violations();

  /** Whether the newest spec differs from that one in ignored fields at most. */
  protected abstract boolean isSame(T other);

  /** As in {@link dev.sluice.workflows.model.Observation}, of a resource that was deployed. */
  protected abstract long deletionSavepointMs();

  /** What proves that no job was ever started; null when nothing does. */
  protected @Nullable String unstarted() {
    return facts.unstarted();
  }

  /** The spec that is deployed, or being deployed; null when there is none that can be read. */
  protected final @Nullable T deployed() {
    return deployed;
  }

  protected final boolean isFirst() {
    return facts.isFirst();
  }

  protected final long generation() {
    return Objects.requireNonNullElse(metadata.getGeneration(), 0L);
  }

  /** What the newest spec starts from: looked up once, and only by who needs that spec. */
  protected final synchronized StartSnapshot.Start start() {
    StartSnapshot.Start known = start;
    if (known == null) {
      known =
          starts.snapshots.of(
              job,
              metadata.getNamespace(),
              Stream.of(deployed, lastStable)
                  .flatMap(Stream::ofNullable)
                  .flatMap(it -> Stream.ofNullable(it.job())),
              () -> facts.startsFromSpec(metadata, job));
      start = known;
    }
    return known;
  }

  @Override
  public final ObjectMeta metadata() {
    return metadata;
  }

  @Override
  public final OwnedStatus status() {
    return status;
  }

  @Override
  public final @Nullable String problem() {
    List<Violation> violations = violations();
    return violations.isEmpty() ? start().problem() : Violation.joined(violations);
  }

  @Override
  public final Optional<TargetSpec> parsed(String json) {
    return parse.apply(json).map(TargetSpec.class::cast);
  }

  @Override
  public final Optional<StableAfter> stableAfter() {
    return StableAfter.ifReadable(metadata.getAnnotations(), starts.stableAfter);
  }

  @Override
  public Optional<TargetSpec> frozen() {
    return Optional.ofNullable(deployed);
  }

  @Override
  public final Optional<TargetSpec> stable() {
    return Optional.ofNullable(lastStable);
  }

  @Override
  public final ObservedResource observed() {
    T now = deployed;
    T before = lastStable;
    return facts.observed(
        metadata,
        new StatusFacts.Newest(
            newest(), problem(), now != null && isSame(now), before != null && isSame(before)),
        status.reconciliation().lastReconciledSpec() == null ? 0 : deletionSavepointMs(),
        unstarted());
  }
}
