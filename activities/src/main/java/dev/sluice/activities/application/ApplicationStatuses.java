package dev.sluice.activities.application;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.SavepointInProgress;
import dev.sluice.api.application.VersionStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The record of an application in its status: what workflows decide from, and back. Pure. */
public final class ApplicationStatuses {

  private ApplicationStatuses() {}

  /** What a status says. */
  public static ApplicationRecord record(FlinkApplicationStatus status) {
    ApplicationDeployment deployment =
        Objects.requireNonNullElse(status.deployment(), ApplicationDeployment.EMPTY);
    return new ApplicationRecord(
        Objects.requireNonNullElse(status.phase(), ApplicationPhase.NEW),
        version(deployment.deployed()),
        version(deployment.target()),
        version(deployment.leaving()),
        start(deployment.state()),
        trigger(deployment.savepoint()),
        Objects.requireNonNullElse(deployment.settledGeneration(), 0L),
        new Hashes(
            text(status.failedDeployHash()),
            text(status.teardownHash()),
            text(status.inPlaceUpdatedFromHash()),
            text(status.failedDeployHash()) == null ? null : text(deployment.failedFullHash())),
        recoveries(deployment),
        deployment.savepointRedeployNonce());
  }

  private static Recoveries recoveries(ApplicationDeployment deployment) {
    Long at = WrittenTime.millis(deployment.recoveredAt());
    return new Recoveries(
        Objects.requireNonNullElse(deployment.recoveries(), 0), at == null ? 0 : at);
  }

  /** A version, as it is recorded; null for null, and for one that does not say enough. */
  static @Nullable VersionRef version(@Nullable DeployedVersion recorded) {
    String hash = recorded == null ? null : text(recorded.hash());
    String cluster = recorded == null ? null : text(recorded.cluster());
    return recorded == null || hash == null || cluster == null
        ? null
        : new VersionRef(
            hash,
            text(recorded.fullHash()),
            cluster,
            recorded.colour(),
            Objects.requireNonNullElse(recorded.generation(), 0L),
            text(recorded.jobId()),
            recorded.isAdopted());
  }

  private static @Nullable Start start(@Nullable RecordedState recorded) {
    StateRef state = recorded == null ? null : OwnedStatus.state(recorded);
    return recorded == null || state == null
        ? null
        : new Start(
            state,
            text(recorded.takenFrom()),
            text(recorded.startedJob()),
            OwnedStatus.leftByStable(recorded));
  }

  private static @Nullable Trigger trigger(@Nullable SavepointInProgress recorded) {
    String id = recorded == null ? null : text(recorded.triggerId());
    String job = recorded == null ? null : text(recorded.jobId());
    Long since = recorded == null ? null : WrittenTime.millis(recorded.since());
    return recorded == null || id == null || job == null
        ? null
        : new Trigger(
            id,
            job,
            Objects.requireNonNullElse(since, 0L),
            // what is not known to go on may be stopped
            !Boolean.FALSE.equals(recorded.stops()));
  }

  /**
   * A status in which that is recorded. Fields that do not follow from a record stay as they are.
   *
   * @param specs the specs of its versions, by {@link #key}
   * @param now the time of a new phase
   */
  static FlinkApplicationStatus with(
      FlinkApplicationStatus before,
      ApplicationRecord record,
      Map<String, String> specs,
      Instant now) {
    VersionRef deployed = record.deployed();
    VersionRef target = record.target();
    Trigger savepoint = record.savepoint();
    Start start = record.start();
    boolean entered = before.lastUpdatedAt() == null || before.phase() != record.phase();
    return before
        .withPhase(record.phase())
        .withLastUpdatedAt(entered ? seconds(now) : before.lastUpdatedAt())
        .withDeployHash(deployed == null ? null : deployed.hash())
        .withDeployVersion(deployed == null ? null : deployed.colour())
        .withUpdatingHash(target == null ? null : target.hash())
        .withUpdatingVersion(target == null ? null : target.colour())
        .withFailedDeployHash(record.hashes().failed())
        .withRollbackHash(
            record.hashes().failed() == null || deployed == null ? null : deployed.hash())
        .withTeardownHash(record.hashes().tornDown())
        .withInPlaceUpdatedFromHash(record.hashes().inPlaceFrom())
        .withSavepointTriggerId(savepoint == null ? before.savepointTriggerId() : savepoint.id())
        .withSavepointPath(
            start == null || record.phase().isSettled() ? null : start.state().pathOrNull())
        .withDeployment(deployment(record, specs));
  }

  private static ApplicationDeployment deployment(
      ApplicationRecord record, Map<String, String> specs) {
    Recoveries recoveries = record.recoveries();
    return new ApplicationDeployment(
        recorded(record.deployed(), specs),
        recorded(record.target(), specs),
        recorded(record.leaving(), specs),
        recorded(record.savepoint()),
        recorded(record.start()),
        record.settledGeneration() == 0 ? null : record.settledGeneration(),
        recoveries.count() == 0 ? null : recoveries.count(),
        recoveries.atMs() == 0 ? null : Instant.ofEpochMilli(recoveries.atMs()).toString(),
        record.redeployNonce(),
        record.hashes().failedFull());
  }

  private static @Nullable DeployedVersion recorded(
      @Nullable VersionRef version, Map<String, String> specs) {
    return version == null
        ? null
        : new DeployedVersion(
            version.hash(),
            version.fullHash(),
            version.cluster(),
            version.colour(),
            version.generation(),
            version.jobId(),
            specs.get(key(version)),
            version.adopted() ? true : null);
  }

  private static @Nullable SavepointInProgress recorded(@Nullable Trigger trigger) {
    return trigger == null
        ? null
        : new SavepointInProgress(
            trigger.id(),
            trigger.jobId(),
            Instant.ofEpochMilli(trigger.atMs()).toString(),
            trigger.stops());
  }

  private static @Nullable RecordedState recorded(@Nullable Start start) {
    if (start == null) {
      return null;
    }
    RecordedState state = OwnedStatus.recorded(start.state());
    return new RecordedState(
        state.type(),
        state.path(),
        state.reason(),
        start.takenFrom(),
        start.startedJob(),
        null,
        start.left() == null ? null : OwnedStatus.left(start.left()),
        null,
        null,
        null,
        null,
        null);
  }

  /** What was last seen of that job; empty where the status says nothing of it. */
  public static Optional<ApplicationJobStatus> lastSeen(
      FlinkApplicationStatus status, @Nullable String jobId) {
    return Stream.concat(
            Stream.ofNullable(status.jobStatus()),
            status.versionStatuses().stream()
                .map(VersionStatus::jobStatus)
                .filter(Objects::nonNull))
        .filter(it -> jobId != null && jobId.equals(it.jobID()))
        .findFirst();
  }

  /** What tells the spec of a version from those of the others of an application. */
  static String key(VersionRef version) {
    return version.hash() + "/" + version.cluster() + "/" + version.colour();
  }

  private static @Nullable String text(@Nullable String written) {
    return written == null || written.isBlank() ? null : written;
  }

  /** RFC 3339, in whole seconds. */
  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
