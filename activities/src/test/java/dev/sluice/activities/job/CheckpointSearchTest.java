package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.FindCheckpointRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointSearchTest {

  @TempDir Path root;
  private Path checkpoints;
  private Path savepoints;
  private List<Pod> pods = List.of();
  private Optional<Deployment> deployment = Optional.empty();

  @BeforeEach
  void directories() throws IOException {
    checkpoints = Files.createDirectories(root.resolve("checkpoints"));
    savepoints = Files.createDirectories(root.resolve("savepoints"));
  }

  @Test
  void theCompleteCheckpointWithTheHighestNumberIsAdopted() throws IOException {
    complete(checkpoint(9), 10);
    Path newest = complete(checkpoint(10), 20);
    Files.createDirectories(checkpoint(11));
    complete(checkpoints.resolve("0".repeat(32)).resolve("chk-12"), 30);

    assertThat(found()).isEqualTo(new StateRef.Checkpoint("file:" + newest));
  }

  @Test
  void aJobThatWasBegunAgainInBetweenLeavesDoubt() throws IOException {
    complete(checkpoint(9), 10);
    complete(checkpoint(1), 20);

    assertThat(whyNot()).contains("chk-1 was written after", "begun again");
  }

  @Test
  void aSavepointSinceThenLeavesDoubt() throws IOException {
    complete(checkpoint(9), 10);
    Path savepoint = savepoints.resolve(SavepointDirectory.prefix(Refs.JOB_ID) + "1a2b");
    complete(savepoint, 20);

    assertThat(whyNot()).contains("may be newer", savepoint.toString());
  }

  @Test
  void anOlderSavepointLeavesNone() throws IOException {
    complete(savepoints.resolve(SavepointDirectory.prefix(Refs.JOB_ID) + "1a2b"), 5);
    Path newest = complete(checkpoint(9), 10);

    assertThat(found()).isEqualTo(new StateRef.Checkpoint("file:" + newest));
  }

  /** Flink makes the directory with the first savepoint. */
  @Test
  void aDirectoryForSavepointsThatWasNeverMadeLeavesNone() throws IOException {
    Path newest = complete(checkpoint(9), 10);
    Files.delete(savepoints);

    assertThat(found()).isEqualTo(new StateRef.Checkpoint("file:" + newest));
  }

  @Test
  void aDirectoryForSavepointsThatMayNotBeMountedLeavesDoubt() throws IOException {
    complete(checkpoint(9), 10);
    savepoints = Path.of("/not-mounted/savepoints");

    assertThat(whyNot()).contains("/not-mounted/savepoints, which cannot be read from here");
  }

  @Test
  void aJobWithoutACheckpointIsNotStartedFromNothing() {
    assertThat(whyNot())
        .contains("there is no complete checkpoint of it", "started from file:/savepoint-1.");
  }

  @Test
  void aDirectoryThatIsNotMountedIsUnknown() {
    assertThat(whyNot("s3://streams/checkpoints"))
        .contains("s3://streams/checkpoints", "cannot be read from here", "restore-from");
  }

  @Test
  void podsThatAreLeftMayCompleteAnotherOne() throws IOException {
    complete(checkpoint(9), 10);
    pods = List.of(new Pod());

    assertThat(look(checkpoints.toString())).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aDeploymentThatIsThereAgainIsAskedInstead() {
    deployment = Optional.of(ownedBy(Refs.UID));

    assertThat(failure(checkpoints.toString()).type()).isEqualTo(FailureType.OUTDATED);
  }

  /** An observation hides it, so that it would be planned for the same again each second. */
  @Test
  void aDeploymentThatIsBeingDeletedIsWaitedFor() throws IOException {
    complete(checkpoint(9), 10);
    Deployment terminating = ownedBy(Refs.UID);
    terminating.getMetadata().setDeletionTimestamp("2026-11-23T01:00:00Z");
    deployment = Optional.of(terminating);

    assertThat(look(checkpoints.toString())).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aDeploymentOfAnEarlierResourceOfThatNameIsWaitedFor() throws IOException {
    complete(checkpoint(9), 10);
    deployment = Optional.of(ownedBy("another uid"));

    assertThat(look(checkpoints.toString())).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aDeploymentOfSomebodyElseHasTheName() {
    deployment = Optional.of(new DeploymentBuilder().withNewMetadata().endMetadata().build());

    assertThatThrownBy(() -> look(checkpoints.toString()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failed -> assertThat(failed.getType()).isEqualTo(FailureType.NAME_TAKEN));
  }

  private static Deployment ownedBy(String uid) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(Refs.CLUSTER.clusterId())
        .addNewOwnerReference()
        .withKind(Refs.RESOURCE.kind())
        .withName(Refs.RESOURCE.name())
        .withUid(uid)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private Path checkpoint(int id) {
    return checkpoints.resolve(Refs.JOB_ID).resolve("chk-" + id);
  }

  private static Path complete(Path folder, long atMs) throws IOException {
    Path metadata = Files.createDirectories(folder).resolve("_metadata");
    Files.writeString(metadata, "");
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(atMs));
    return folder;
  }

  private StateRef found() {
    return ((ProbeResult.Done<TakenState>) look(checkpoints.toString())).result().state();
  }

  private String whyNot() {
    return whyNot(checkpoints.toString());
  }

  private String whyNot(String directory) {
    ProbeResult.Failed<TakenState> failed = failure(directory);
    assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
    return failed.message();
  }

  private ProbeResult.Failed<TakenState> failure(String directory) {
    return (ProbeResult.Failed<TakenState>) look(directory);
  }

  private ProbeResult<TakenState> look(String directory) {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(
            Map.of(
                "state.checkpoints.dir", directory, "state.savepoints.dir", savepoints.toString()));
    JobTarget target =
        new JobTarget(
            new RunningCluster(Refs.CLUSTER, Endpoint.of(Refs.CLUSTER), configuration, null, null),
            Refs.JOB_ID,
            FlinkConfiguration.empty());
    ClusterAccess access =
        new ClusterAccess(new Cluster(), NO_CACHE, Runnable::run, Clock.systemUTC());
    return new CheckpointSearch(
            new FindCheckpointRequest(Refs.RESOURCE, Refs.JOB, "file:/savepoint-1", 0),
            target,
            access,
            new LocalCheckpointDirectory(),
            new Savepoints(new LocalSavepointDirectory(), Runnable::run, null),
            NO_SESSION)
        .look();
  }

  private final class Cluster implements LiveClusters {
    @Override
    public Optional<Deployment> deployment(ClusterRef cluster) {
      return deployment;
    }

    @Override
    public Optional<Deployment> taskManagers(ClusterRef cluster) {
      return Optional.empty();
    }

    @Override
    public List<Pod> pods(ClusterRef cluster) {
      return pods;
    }

    @Override
    public List<ConfigMap> highAvailability(ClusterRef cluster) {
      return List.of();
    }

    @Override
    public Optional<PodProblem> volumeProblem(Pod pod) {
      return Optional.empty();
    }
  }

  private static final ClusterCache NO_CACHE = null;
  private static final LostOnSession NO_SESSION = null;
}
