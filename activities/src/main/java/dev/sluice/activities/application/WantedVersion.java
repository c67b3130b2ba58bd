package dev.sluice.activities.application;

import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.Promotion;
import dev.sluice.api.application.ScaleMode;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen.ParallelismChange;
import dev.sluice.workflows.application.ApplicationSeen.PromotionGates;
import dev.sluice.workflows.application.ApplicationSeen.Requests;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.application.ApplicationSeen.Wanted;
import dev.sluice.workflows.application.VersionLimits;
import dev.sluice.workflows.application.VersionRef;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the newest spec of an application asks for, in addition to those of its versions. Pure. */
final class WantedVersion {

  /** What Flink needs next to the time that it lets a savepoint take. */
  private static final Duration AROUND_SAVEPOINT = Duration.ofMinutes(1);

  private final StoredApplication application;
  private final VersionLimits usual;
  private final @Nullable String problem;
  private final FlinkApplicationSpec spec;

  WantedVersion(StoredApplication application, ApplicationRules rules) {
    this.application = application;
    this.usual = rules.limits();
    this.problem =
        Optional.of(rules.validation().apply(application.resource()))
            .filter(violations -> !violations.isEmpty())
            .map(Violation::joined)
            .orElse(null);
    this.spec = problem == null ? application.spec() : ofVersions().orElseGet(application::spec);
  }

  private Optional<FlinkApplicationSpec> ofVersions() {
    ApplicationRecord record = application.record();
    return Stream.of(record.target(), record.deployed())
        .filter(Objects::nonNull)
        .flatMap(version -> application.frozen(version).stream())
        .findFirst();
  }

  /** Why it is not valid, with the fields' paths; null when it is. */
  @Nullable String problem() {
    return problem;
  }

  /** What it asks for; where it is not valid, what the target or the deployed version does. */
  Wanted wanted() {
    FlinkApplicationSpec deployed = frozen(application.record().deployed());
    FlinkApplicationSpec target = frozen(application.record().target());
    return new Wanted(
        ApplicationHash.of(spec).full(),
        spec.deploymentMode(),
        spec.deleteMode(),
        parallelismOnly(deployed),
        spec.scaleMode() == ScaleMode.IN_PLACE,
        new StatePolicy(
            spec.savepointDisabled(),
            spec.fallbackWithoutState(),
            Duration.ofSeconds(spec.maxCheckpointRestoreAgeSeconds()).toMillis(),
            spec.namedSavepoint(),
            redeployNonce(deployed)),
        new Requests(spec.forceRollback(), tearDown(target), gates(spec.promotion())));
  }

  /**
   * One that was used counts no more, also when the deployment that it was for has failed. What
   * Lyft's operator has deployed has none.
   */
  private @Nullable Long redeployNonce(@Nullable FlinkApplicationSpec deployed) {
    Long nonce = spec.savepointRedeployNonce();
    boolean unreadable = deployed == null && application.record().deployed() != null;
    boolean same =
        deployed != null && nonce != null && nonce.equals(deployed.savepointRedeployNonce());
    return nonce == null || unreadable || same || nonce.equals(application.record().redeployNonce())
        ? null
        : nonce;
  }

  private @Nullable FlinkApplicationSpec frozen(@Nullable VersionRef version) {
    return version == null ? null : application.frozen(version).orElse(null);
  }

  private @Nullable ParallelismChange parallelismOnly(@Nullable FlinkApplicationSpec deployed) {
    Integer from = deployed == null ? null : deployed.parallelism();
    Integer to = spec.parallelism();
    return deployed != null
            && from != null
            && to != null
            && ApplicationHash.differInParallelismOnly(deployed, spec)
        ? new ParallelismChange(from, to)
        : null;
  }

  private @Nullable String tearDown(@Nullable FlinkApplicationSpec target) {
    String hash = spec.tearDownVersionHash();
    if (hash == null || hash.isBlank()) {
      return null;
    }
    return target == null || !hash.equals(target.tearDownVersionHash()) ? hash : null;
  }

  private static @Nullable PromotionGates gates(@Nullable Promotion promotion) {
    return promotion == null
        ? null
        : new PromotionGates(
            Duration.ofSeconds(Objects.requireNonNullElse(promotion.stableSeconds(), 0L))
                .toMillis(),
            Objects.requireNonNullElse(promotion.checkpoints(), 0));
  }

  /**
   * How long the steps may take.
   *
   * @param savepoint how long Flink lets a savepoint of the running job take; empty when it does
   *     not say
   */
  VersionLimits limits(Optional<Duration> savepoint) {
    FlinkApplicationSpec running = frozen(application.record().deployed());
    long savepointMs =
        savepoint
            .or(() -> timeout(running == null ? spec : running))
            .map(longest -> longest.plus(AROUND_SAVEPOINT).toMillis())
            .orElse(usual.savepointMs());
    return new VersionLimits(
        usual.clusterMs(),
        savepointMs,
        usual.cancelMs(),
        usual.submitMs(),
        usual.jobMs(),
        usual.goneMs());
  }

  private static Optional<Duration> timeout(FlinkApplicationSpec spec) {
    try {
      return spec.configuration().duration("execution.checkpointing.timeout");
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
