package dev.sluice.activities.application;

import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.VersionStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.VersionRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What Lyft's operator has left in the status of an application. Pure.
 *
 * @param now the application
 * @param whole its clusters whose both Deployments are there
 */
record LyftStatus(StoredApplication now, List<VersionRef> whole) {

  /** Copies the list. */
  LyftStatus {
    whole = List.copyOf(whole);
  }

  /** Null once it is adopted, and where nothing is left. */
  @Nullable LyftLeft left() {
    String hash = status().deployment() == null ? deployHash() : null;
    return hash == null
        ? null
        : new LyftLeft(phase().wire(), hash, jobId(hash), find(hash).isPresent());
  }

  /**
   * What it has deployed. It names its first version only when that is verified; before, the only
   * cluster is it. Of two versions that ran, the one that is left.
   */
  @Nullable String deployHash() {
    String hash = status().deployHash();
    if (hash != null && !hash.isBlank()) {
      return isDual() && find(hash).isEmpty() && find(status().updatingHash()).isPresent()
          ? status().updatingHash()
          : hash;
    }
    List<VersionRef> its = whole.stream().filter(VersionRef::adopted).toList();
    boolean unclear = phase() == ApplicationPhase.DEPLOY_FAILED && !now.isDeleting();
    return its.size() == 1 && !unclear ? its.get(0).hash() : null;
  }

  /**
   * The record of what it has deployed. The newest spec is that of the newest version, which may
   * have failed.
   *
   * @param hash as {@link #deployHash} says
   * @param specs gets the specs of the versions, by {@link ApplicationStatuses#key}
   */
  ApplicationRecord adopted(String hash, Map<String, String> specs) {
    boolean failed = phase() == ApplicationPhase.DEPLOY_FAILED;
    boolean newest = isDual() ? hash.equals(status().updatingHash()) : !failed;
    VersionRef deployed = version(hash, newest);
    specs.put(
        ApplicationStatuses.key(deployed),
        VersionFreeze.document(deployedSpec(hash), now.generation(), false));
    boolean two = isDual() && !newest && find(status().updatingHash()).isPresent();
    VersionRef target = two ? version(status().updatingHash(), true) : null;
    if (target != null) {
      specs.put(ApplicationStatuses.key(target), VersionFreeze.document(now, false));
    }
    boolean alone = isDual() && !two;
    return ApplicationRecord.NONE
        .in(alone || status().phase() == null ? ApplicationPhase.RUNNING : phase())
        .with(deployed, target)
        .settled(now.generation())
        .with(hashes(failed, alone && !newest));
  }

  /** A spec that has failed, or whose version is gone, is not deployed again by itself. */
  private Hashes hashes(boolean failed, boolean isNewestGone) {
    ApplicationHash hash = ApplicationHash.of(now.spec());
    String newest = hash.inNames(0);
    return failed
        ? new Hashes(newest, null, null, hash.full())
        : isNewestGone ? new Hashes(null, newest, null) : Hashes.NONE;
  }

  private FlinkApplicationStatus status() {
    return now.status();
  }

  private ApplicationPhase phase() {
    return Objects.requireNonNullElse(status().phase(), ApplicationPhase.NEW);
  }

  private boolean isDual() {
    return phase() == ApplicationPhase.DUAL_RUNNING;
  }

  private Optional<VersionRef> find(@Nullable String hash) {
    return whole.stream().filter(it -> it.hash().equals(hash)).findFirst();
  }

  private VersionRef version(@Nullable String hash, boolean isOfNewestSpec) {
    VersionRef found =
        find(hash)
            .orElseThrow(
                () ->
                    FlinkApplicationStore.outdated(
                        "the Deployments of hash %s are not there".formatted(hash)));
    return new VersionRef(
        found.hash(),
        isOfNewestSpec ? ApplicationHash.of(now.spec()).full() : null,
        found.cluster(),
        found.colour(),
        now.generation(),
        jobId(found.hash()),
        true);
  }

  /** What Lyft's operator would submit on a rollback, where that is not the newest spec. */
  private FlinkApplicationSpec deployedSpec(String hash) {
    ApplicationJobStatus job = job(hash);
    FlinkApplicationSpec spec = now.spec();
    return job.jarName() == null || job.jarName().isBlank()
        ? spec
        : spec.withJarName(job.jarName())
            .withEntryClass(Objects.requireNonNullElse(job.entryClass(), spec.entryClass()))
            .withParallelism(Objects.requireNonNullElse(job.parallelism(), spec.parallelism()))
            .withProgramArgs(job.programArgs())
            .withAllowNonRestoredState(
                Objects.requireNonNullElse(
                    job.allowNonRestoredState(), spec.allowNonRestoredState()));
  }

  private @Nullable String jobId(String hash) {
    String id = job(hash).jobID();
    return id == null || id.isBlank() ? null : id;
  }

  /** Where versions are told apart, what stands next to them is of the deployed one. */
  private ApplicationJobStatus job(String hash) {
    boolean other = isDual() && !hash.equals(status().deployHash());
    return status().versionStatuses().stream()
        .filter(it -> hash.equals(it.versionHash()))
        .map(VersionStatus::jobStatus)
        .filter(Objects::nonNull)
        .findFirst()
        .or(() -> Optional.ofNullable(status().jobStatus()).filter(it -> !other))
        .orElse(ApplicationJobStatus.EMPTY);
  }
}
