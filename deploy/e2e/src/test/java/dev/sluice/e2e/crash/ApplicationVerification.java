package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.e2e.crash.ApplicationOperation.Mode;
import dev.sluice.e2e.crash.ApplicationSurvivor.Version;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.JobsWatch;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** What must hold after an operation on a FlinkApplication, whatever was killed meanwhile. */
final class ApplicationVerification implements Verification {

  private static final int SLOTS = 2;

  private final TestCluster cluster;
  private final ApplicationSurvivor survivor;
  private final ApplicationOperation operation;
  private final boolean disturbed;
  private List<Path> savepoints = List.of();
  private String oldJob = "";
  private @Nullable JobsWatch watch;
  private @Nullable Lane lane;

  /**
   * A version that is to run now.
   *
   * @param name of its cluster
   * @param jobId of its job
   * @param spec what it was made from
   */
  private record Running(String name, String jobId, Version spec, FlinkCluster flink) {}

  /**
   * @param disturbed a job may have failed over meanwhile, and a savepoint may have failed
   */
  ApplicationVerification(
      TestCluster cluster,
      ApplicationSurvivor survivor,
      ApplicationOperation operation,
      boolean disturbed) {
    this.cluster = cluster;
    this.survivor = survivor;
    this.operation = operation;
    this.disturbed = disturbed;
  }

  private Application application() {
    return survivor.application();
  }

  @Override
  public void begin() {
    savepoints = application().savepoints();
    watch = JobsWatch.of(cluster, application());
    if (application().find().isPresent()) {
      lane = application().lane();
      oldJob = application().jobId();
    }
  }

  @Override
  public void verify() {
    Lane runs = lane == null ? application().lane() : lane;
    await("the workflow run is closed").until(() -> !runs.isOpen());
    verifyJobsOneAfterTheOther();
    if (operation == ApplicationOperation.DELETE) {
      await("nothing is left")
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(() -> assertThat(application().objects()).isEmpty());
    } else {
      verifyVersions();
    }
    verifySavepoints();
    survivor.ended(operation);
  }

  /** Never two of a version, and never two at all where one takes the place of the other. */
  private void verifyJobsOneAfterTheOther() {
    if (watch == null) {
      throw new IllegalStateException("begin first");
    }
    assertThat(operation.mode() == Mode.DUAL ? watch.sideBySide() : watch.sideBySideOnOneCluster())
        .as("jobs side by side")
        .isEmpty();
    assertThat(watch.lives()).as("jobs that were seen").isNotEmpty();
  }

  private void verifyVersions() {
    await("the versions that are to run, and nothing else")
        .atMost(Patience.times(2))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptionsInstanceOf(ConditionTimeoutException.class) // a JobManager that is away
        .untilAsserted(
            () -> {
              Resource now = application().get();
              verifyObjects(now, versions(now));
              versions(now).forEach(ApplicationVerification::verifyJob);
            });
    Resource now = application().get();
    List<Running> all = versions(now);
    all.forEach(it -> verifyCounts(it, it.equals(all.get(all.size() - 1))));
    verifyService(now, all.get(0));
    boolean stays =
        operation == ApplicationOperation.BESIDE || operation == ApplicationOperation.TEAR_DOWN;
    if (stays && !disturbed) {
      assertThat(all.get(0).jobId()).as("the job that was there is left alone").isEqualTo(oldJob);
    }
  }

  /** The deployed one first. */
  private List<Running> versions(Resource now) {
    return switch (operation) {
      case DEPLOY, ROLL_BACK, TEAR_DOWN -> List.of(version(now, "deployed", survivor.running()));
      case UPGRADE, RESCALE, PROMOTION -> List.of(version(now, "deployed", survivor.coming()));
      case BESIDE ->
          List.of(
              version(now, "deployed", survivor.running()),
              version(now, "target", survivor.coming()));
      case DELETE -> List.of();
    };
  }

  private Running version(Resource now, String which, Version spec) {
    String name = now.status("/deployment/%s/cluster".formatted(which));
    return new Running(
        name,
        now.status("/deployment/%s/jobId".formatted(which)),
        spec,
        application().flink(name.substring(application().name().length() + 1)));
  }

  /** Nothing but the clusters of these versions, and their Services. */
  private void verifyObjects(Resource now, List<Running> all) {
    String name = application().name();
    List<String> services =
        Stream.concat(
                Stream.of(
                    name, name + "-" + now.status("/deployHash"), name + "-green", name + "-blue"),
                all.stream().map(Running::name))
            .map(it -> "Service/" + it)
            .toList();
    List<String> objects = application().objects();
    assertThat(objects)
        .filteredOn(it -> it.startsWith("Deployment/"))
        .hasSize(2 * all.size())
        .allMatch(it -> isOf(it, all));
    assertThat(objects)
        .filteredOn(it -> it.startsWith("ReplicaSet/"))
        .hasSize(2 * all.size())
        .allMatch(it -> isOf(it, all));
    assertThat(objects)
        .filteredOn(it -> it.startsWith("Pod/"))
        .hasSize(all.stream().mapToInt(it -> 1 + taskManagers(it)).sum())
        .allMatch(it -> isOf(it, all));
    assertThat(objects).filteredOn(it -> it.startsWith("Service/")).allMatch(services::contains);
  }

  private static boolean isOf(String object, List<Running> all) {
    return all.stream().anyMatch(it -> object.contains("/" + it.name() + "-"));
  }

  private static int taskManagers(Running version) {
    return (version.spec().parallelism() + SLOTS - 1) / SLOTS;
  }

  /** The one that the status names runs, and no other one does. */
  private static void verifyJob(Running version) {
    List<FlinkJob> jobs = version.flink().overview();
    assertThat(jobs)
        .as("jobs that run on " + version.name())
        .filteredOn(FlinkJob::isAlive)
        .extracting(it -> it.id() + " " + it.state())
        .containsExactly(version.jobId() + " RUNNING");
    assertThat(version.flink().configuration(Manifest.ROUND))
        .as("the spec that runs")
        .isEqualTo(version.spec().round());
    assertThat(version.flink().taskManagers()).as("TaskManagers").isEqualTo(taskManagers(version));
  }

  /**
   * It works, and has lost and doubled nothing.
   *
   * @param started by the operation, if that has started a job
   */
  private void verifyCounts(Running version, boolean started) {
    Counts before = survivor.counted();
    long least = before == null ? 0 : before.total();
    Counts now =
        await("counts that go on")
            .until(() -> version.flink().counts(version.jobId()), it -> it.total() > least);
    assertThat(now.exact()).as("no element lost or doubled: %s", now).isTrue();
    boolean untouched = version.jobId().equals(oldJob);
    if (!started || untouched || disturbed) {
      return;
    }
    String restored = version.flink().restored(version.jobId());
    if (before == null) {
      assertThat(restored).as("restored from").isEmpty();
      assertThat(now.restored()).as("restored: %s", now).isZero();
    } else {
      assertThat(taken()).as("savepoints").hasSize(1);
      assertThat(restored).as("restored from").endsWith("/" + taken().get(0).getFileName());
      assertThat(now.restored()).as("restored: %s", now).isGreaterThanOrEqualTo(before.total());
    }
  }

  /** It leads to the deployed version. */
  private void verifyService(Resource now, Running deployed) {
    String name = application().name();
    String service =
        operation.mode() == Mode.DUAL ? name : name + "-" + now.status("/deployVersion");
    Pod jobManager = deployed.flink().jobManager().orElseThrow();
    assertThat(application().leadsTo(service))
        .as("where %s leads to", service)
        .isEqualTo(jobManager.getMetadata().getLabels().get("pod-deployment-selector"));
  }

  private List<Path> taken() {
    List<Path> taken = new ArrayList<>(application().savepoints());
    taken.removeAll(savepoints);
    return taken;
  }

  private void verifySavepoints() {
    int expected =
        switch (operation) {
          case DEPLOY, TEAR_DOWN -> 0;
          case UPGRADE, ROLL_BACK, RESCALE, BESIDE, PROMOTION, DELETE -> 1;
        };
    Verification.verifySavepoints(taken(), expected, disturbed);
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
