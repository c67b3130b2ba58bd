package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.VersionRef;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Lyft's operator has deployed, by what it has said and by what is there. */
class LyftStatusTest {

  private static final VersionRef FIRST = lyfts("1234abcd");
  private static final VersionRef SECOND = lyfts("5678abcd");

  private final FlinkApplication resource = new FlinkApplication();

  LyftStatusTest() {
    resource.setSpec(Applications.SPEC);
  }

  private static VersionRef lyfts(String hash) {
    return new VersionRef(hash, null, "orders-" + hash, null, 1, null, true);
  }

  private @Nullable String deployed(
      ApplicationPhase phase, @Nullable String deployHash, VersionRef... whole) {
    resource.setStatus(FlinkApplicationStatus.EMPTY.withPhase(phase).withDeployHash(deployHash));
    return status(whole).deployHash();
  }

  private LyftStatus status(VersionRef... whole) {
    return new LyftStatus(new StoredApplication(Applications.RESOURCE, resource), List.of(whole));
  }

  private ApplicationRecord ofTwo(VersionRef... whole) {
    resource.setSpec(Applications.SPEC.withDeploymentMode(DeploymentMode.BLUE_GREEN));
    resource.setStatus(
        FlinkApplicationStatus.EMPTY
            .withPhase(ApplicationPhase.DUAL_RUNNING)
            .withDeployHash(FIRST.hash())
            .withUpdatingHash(SECOND.hash())
            .withJobStatus(ApplicationJobStatus.EMPTY.withJobID("job-1")));
    LyftLeft left = Objects.requireNonNull(status(whole).left());
    assertThat(left.running()).isTrue();
    return status(whole).adopted(left.deployHash(), new HashMap<>());
  }

  @Test
  void the_only_cluster_is_its_first_version() {
    assertThat(deployed(ApplicationPhase.SUBMITTING_JOB, "", FIRST)).isEqualTo("1234abcd");
    assertThat(deployed(ApplicationPhase.SUBMITTING_JOB, null, FIRST)).isEqualTo("1234abcd");
  }

  @Test
  void what_the_status_names_counts_before_what_is_there() {
    assertThat(deployed(ApplicationPhase.RUNNING, "5678abcd", FIRST)).isEqualTo("5678abcd");
  }

  @Test
  void which_of_several_is_not_guessed() {
    assertThat(deployed(ApplicationPhase.SUBMITTING_JOB, "", FIRST, SECOND)).isNull();
    assertThat(deployed(ApplicationPhase.SUBMITTING_JOB, "")).isNull();
  }

  @Test
  void a_cluster_of_ours_is_not_its() {
    VersionRef ours = Applications.version("1a2b3c4d5e", null, null);

    assertThat(deployed(ApplicationPhase.SUBMITTING_JOB, "", ours)).isNull();
  }

  @Test
  void a_first_version_that_has_failed_is_only_taken_over_to_be_deleted() {
    assertThat(deployed(ApplicationPhase.DEPLOY_FAILED, "", FIRST)).isNull();

    resource.getMetadata().setDeletionTimestamp("2026-11-21T09:00:00Z");
    assertThat(deployed(ApplicationPhase.DEPLOY_FAILED, "", FIRST)).isEqualTo("1234abcd");
  }

  @Test
  void ofTwoVersionsThatRunBothAreTakenOver() {
    ApplicationRecord both = ofTwo(FIRST, SECOND);

    assertThat(both.phase()).isEqualTo(ApplicationPhase.DUAL_RUNNING);
    assertThat(both.deployed())
        .extracting(VersionRef::hash, VersionRef::fullHash, VersionRef::jobId)
        .containsExactly("1234abcd", null, "job-1");
    assertThat(both.target())
        .extracting(VersionRef::hash, VersionRef::fullHash, VersionRef::jobId)
        .containsExactly("5678abcd", newest().full(), null);
  }

  /** As after a teardown: the newest spec is not deployed again by itself. */
  @Test
  void ofTwoVersionsTheOlderOneIsTakenOverWhereTheNewerIsNotWhole() {
    ApplicationRecord older = ofTwo(FIRST);

    assertThat(older.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(older.target()).isNull();
    assertThat(older.deployed())
        .extracting(VersionRef::hash, VersionRef::fullHash, VersionRef::jobId)
        .containsExactly("1234abcd", null, "job-1");
    assertThat(older.hashes().tornDown()).isEqualTo(newest().inNames(0));
  }

  /** What the status says of a job is of the older one. */
  @Test
  void ofTwoVersionsTheNewerOneIsTakenOverWhereTheOlderIsNotWhole() {
    ApplicationRecord newer = ofTwo(SECOND);

    assertThat(newer.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(newer.target()).isNull();
    assertThat(newer.deployed())
        .extracting(VersionRef::hash, VersionRef::fullHash, VersionRef::jobId)
        .containsExactly("5678abcd", newest().full(), null);
    assertThat(newer.hashes()).isEqualTo(Hashes.NONE);
  }

  /** Another spec may have the same short one. */
  @Test
  void theWholeHashOfASpecThatHasFailedIsKept() {
    resource.setStatus(
        FlinkApplicationStatus.EMPTY
            .withPhase(ApplicationPhase.DEPLOY_FAILED)
            .withDeployHash("1234abcd"));

    assertThat(status(FIRST).adopted("1234abcd", new HashMap<>()).hashes())
        .isEqualTo(new Hashes(newest().inNames(0), null, null, newest().full()));
  }

  @Test
  void whatIsTakenOverAlreadyIsNotLeft() {
    resource.setStatus(
        FlinkApplicationStatus.EMPTY
            .withDeployHash("1234abcd")
            .withDeployment(ApplicationDeployment.EMPTY));

    assertThat(status(FIRST).left()).isNull();
  }

  private ApplicationHash newest() {
    return ApplicationHash.of(resource.getSpec());
  }
}
