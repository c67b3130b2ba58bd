package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.controller.status.SeenResource;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkApplication, what was observed of it, and what follows from both.
 *
 * @param resource as the informer has it
 * @param ref the resource as workflows know it
 * @param newest the newest spec, checked and compared
 * @param record what the status says, as workflows read it
 * @param observed what was observed in addition to the resource
 */
record SeenApplication(
    FlinkApplication resource,
    ResourceRef ref,
    ApplicationCheck newest,
    ApplicationRecord record,
    Observed observed)
    implements SeenResource, SeenLane<FlinkApplication> {

  /** So many other hashes a spec can have in names. */
  private static final int MOST_COLLISIONS = 10;

  /**
   * What was observed in addition to the resource.
   *
   * @param deployed the deployed version; empty when there is none
   * @param target the version that is being deployed, or runs next to it; empty when there is none
   * @param workflow the answers of Temporal
   * @param at when it was looked at
   */
  record Observed(
      Optional<ObservedVersion> deployed,
      Optional<ObservedVersion> target,
      TemporalAnswers temporal,
      Instant at) {

    Observed with(TemporalAnswers learned) {
      return new Observed(deployed, target, learned, at);
    }
  }

  static SeenApplication of(FlinkApplication resource, ResourceRef ref, Observed observed) {
    return new SeenApplication(
        resource,
        ref,
        ApplicationCheck.of(resource),
        ApplicationStatuses.record(resource.getStatus()),
        observed);
  }

  @Override
  public ResourcePhase phase() {
    if (resource.getMetadata().getDeletionTimestamp() != null) {
      return ResourcePhase.DELETING;
    }
    OperationStatus operation = operation();
    OperationState state = operation == null ? null : operation.state();
    if (state == OperationState.PARKED) {
      return ResourcePhase.PARKED;
    }
    if (state == OperationState.BLOCKED) {
      return ResourcePhase.BLOCKED;
    }
    if (state == OperationState.RUNNING || isBegun()) {
      return ResourcePhase.RUNNING;
    }
    return isSettled() ? settled() : asked();
  }

  /** Whether an operation was begun and not finished, also when its run is lost. */
  boolean isBegun() {
    return !isLyfts() && !record.isSettled();
  }

  /** Whether Lyft's operator has made a cluster, and nothing was taken over yet. */
  boolean isLyfts() {
    FlinkApplicationStatus status = resource.getStatus();
    String hash = status.deployHash();
    boolean begun = status.phase() != null && status.phase() != ApplicationPhase.NEW;
    return status.deployment() == null && (begun || (hash != null && !hash.isBlank()));
  }

  private boolean isSettled() {
    return !isLyfts() && generation() <= record.settledGeneration();
  }

  private ResourcePhase settled() {
    if (wantsTearDown()) {
      return ResourcePhase.PENDING;
    }
    boolean reached = !newest.isValid() || isDeployed() || isTornDown();
    return reached && record.phase() != ApplicationPhase.DEPLOY_FAILED
        ? ResourcePhase.SETTLED
        : ResourcePhase.GIVEN_UP;
  }

  private ResourcePhase asked() {
    if (!newest.isValid()) {
      return ResourcePhase.INVALID;
    }
    return waitsForTearDown() ? ResourcePhase.SETTLED : ResourcePhase.PENDING;
  }

  /** Whether the newest spec is what one of the versions was made from. */
  boolean isDeployed() {
    return Stream.of(record.deployed(), isDual() ? record.target() : null)
        .filter(Objects::nonNull)
        .anyMatch(version -> newest.fullHash().equals(version.fullHash()));
  }

  /** Whether the version of the newest spec was torn down, because that was asked for. */
  boolean isTornDown() {
    String hash = record.hashes().tornDown();
    ApplicationHash full = new ApplicationHash(newest.fullHash());
    return hash != null
        && !newest.fullHash().isEmpty()
        && IntStream.rangeClosed(0, MOST_COLLISIONS).anyMatch(i -> full.inNames(i).equals(hash));
  }

  /** Whether two versions run. */
  boolean isDual() {
    return record.phase() == ApplicationPhase.DUAL_RUNNING;
  }

  /** Whether the spec asks for one of the two versions that run to be torn down. */
  boolean wantsTearDown() {
    String hash = newest.tearDown();
    return hash != null
        && isDual()
        && Stream.of(record.deployed(), record.target())
            .filter(Objects::nonNull)
            .anyMatch(version -> version.hash().equals(hash));
  }

  /** Whether the newest spec is a third version, which waits until one of two is torn down. */
  boolean waitsForTearDown() {
    return isDual()
        && newest.isValid()
        && generation() > record.settledGeneration()
        && !isDeployed()
        && !wantsTearDown();
  }

  /** The version that the newest spec is about: of two that run, the newer one. */
  Optional<ObservedVersion> current() {
    return isDual() && observed.target().isPresent() ? observed.target() : shown();
  }

  /** The version that {@code clusterStatus} and {@code jobStatus} tell of. */
  Optional<ObservedVersion> shown() {
    return observed.deployed().isPresent() ? observed.deployed() : observed.target();
  }

  /** The versions whose jobs are to run while no operation is open. */
  List<ObservedVersion> running() {
    return Stream.of(observed.deployed(), isDual() ? observed.target() : observed.deployed())
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  @Override
  public JobResourceStatus status() {
    return new ApplicationStatusView(resource.getStatus());
  }

  @Override
  public Instant at() {
    return observed.at();
  }

  @Override
  public TemporalAnswers temporal() {
    return observed.temporal();
  }

  /** The newest generation that an open operation knows of; that of the resource if unknown. */
  @Override
  public long target() {
    OperationStatus operation = operation();
    if (operation != null && operation.isOpen() && operation.targetGeneration() != null) {
      return operation.targetGeneration();
    }
    VersionRef version = record.target();
    return isBegun() && version != null ? version.generation() : generation();
  }

  /** The newest, unless it is not valid. */
  @Override
  public long goal() {
    if (!phase().isOpen()) {
      return generation();
    }
    return newest.isValid() ? Math.max(generation(), target()) : target();
  }

  @Override
  public OperationType nextOperation() {
    if (wantsTearDown()) {
      return OperationType.TEAR_DOWN;
    }
    return newest.rescales() && record.deployed() != null && !isDual()
        ? OperationType.RESCALE
        : OperationType.DEPLOY;
  }

  @Override
  public List<Violation> violations() {
    return newest.violations();
  }

  @Override
  public List<String> ignored() {
    return newest.ignored();
  }

  @Override
  public @Nullable Long frozenGeneration() {
    VersionRef version = record.deployed();
    return version == null ? null : version.generation();
  }

  @Override
  public Optional<Job> job() {
    return current().flatMap(ObservedVersion::job);
  }

  @Override
  public boolean isSuspended() {
    return false;
  }

  @Override
  public String deletion() {
    return switch (resource.getSpec().deleteMode()) {
      case SAVEPOINT -> "Stopping the job with a savepoint and deleting its cluster";
      case FORCE_CANCEL -> "Cancelling the job and deleting its cluster";
      case NONE -> "Deleting the cluster";
    };
  }

  @Override
  public String recovered() {
    return "the job";
  }
}
