package dev.sluice.e2e.crash;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.crash.ApplicationOperation.Mode;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkApplication that lives through one operation after the other. */
final class ApplicationSurvivor implements Survivor {

  /** Of which the new version has the cluster that counts; else the deployed one has. */
  private static final List<String> ABOUT_THE_NEW_CLUSTER =
      List.of("CreateVersion", "AwaitVersion", "SubmitVersionJob", "AwaitVersionJob", "CutOver");

  private final Scene scene;
  private final String name;
  private int lives;
  private int rounds;
  private Mode mode = Mode.DUAL;
  private int parallelism = 1;
  private Application application;
  private Version running;
  private Version coming;
  private @Nullable Counts counted;

  /**
   * What was applied for a version.
   *
   * @param round the {@link Manifest#ROUND} of it
   * @param parallelism of its job
   */
  record Version(Manifest manifest, String round, int parallelism) {}

  ApplicationSurvivor(Scene scene, String name) {
    this.scene = scene;
    this.name = name;
    this.application = scene.application(name);
    this.running = newer();
    this.coming = running;
  }

  Application application() {
    return application;
  }

  /** What is to be deployed now. */
  Version running() {
    return running;
  }

  /** What is to run beside it. */
  Version coming() {
    return coming;
  }

  /** The counts of the deployed version before the operation; null when there was none. */
  @Nullable Counts counted() {
    return counted;
  }

  @Override
  public Optional<Resource> find() {
    return application.find();
  }

  @Override
  public Breakpoint hold(Moment moment, String step) {
    return application.hold(moment, step);
  }

  @Override
  public void release() {
    application.close();
  }

  @Override
  public void annotate(String annotation, String value) {
    application.annotate(annotation, value);
  }

  @Override
  public Optional<Pod> pod(Victim victim, Step step) {
    Optional<FlinkCluster> deployed = cluster("deployed");
    Optional<FlinkCluster> target = cluster("target");
    boolean aboutNew = ABOUT_THE_NEW_CLUSTER.contains(step.type());
    return (aboutNew ? target : deployed)
        .flatMap(it -> pod(it, victim))
        .or(() -> (aboutNew ? deployed : target).flatMap(it -> pod(it, victim)));
  }

  private static Optional<Pod> pod(FlinkCluster flink, Victim victim) {
    return victim == Victim.JOBMANAGER ? flink.jobManager() : flink.taskManager();
  }

  /** The cluster that the status has for one of its versions. */
  private Optional<FlinkCluster> cluster(String version) {
    return application
        .find()
        .map(it -> it.status("/deployment/%s/cluster".formatted(version)))
        .filter(it -> !it.isEmpty())
        .map(it -> application.flink(it.substring(application.name().length() + 1)));
  }

  @Override
  public Verification verification(Operation operation, boolean disturbed) {
    return new ApplicationVerification(scene.cluster(), this, of(operation), disturbed);
  }

  private static ApplicationOperation of(Operation operation) {
    return (ApplicationOperation) operation;
  }

  @Override
  public void giveUp() {
    application.discard();
    lives++;
    application = scene.application(name + "-" + lives);
    beginAnew();
  }

  private void beginAnew() {
    parallelism = 1;
    running = newer();
    coming = running;
    counted = null;
  }

  @Override
  public void prepare(Operation any) {
    ApplicationOperation operation = of(any);
    if (operation == ApplicationOperation.DEPLOY) {
      if (mode != operation.mode() || application.find().isPresent()) {
        mode = operation.mode();
        giveUp();
      }
      return;
    }
    ensureRuns(operation);
    counted = application.counts();
    String job = application.jobId();
    FlinkCluster flink = application.flink();
    await("a checkpoint of job " + job)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> flink.completedCheckpoints(job) > 0);
  }

  private void ensureRuns(ApplicationOperation operation) {
    boolean usable =
        mode == operation.mode() && phase().matches("Running|DeployFailed|DualRunning");
    if (!usable) {
      boolean another = mode != operation.mode() || application.find().isPresent();
      mode = operation.mode();
      if (another) {
        giveUp();
      }
      application.deploy(running.manifest());
    }
    if (phase().equals("DeployFailed")) {
      application.deploy(running.manifest());
    }
    boolean beside = operation == ApplicationOperation.TEAR_DOWN;
    if (beside && phase().equals("Running")) {
      coming = newer();
      application.apply(coming.manifest());
      Resource unused = application.await("both run", ApplicationSurvivor::bothRun);
    } else if (!beside && phase().equals("DualRunning")) {
      application.deploy(coming.manifest().spec("tearDownVersionHash", hashOfComing()));
      coming = running;
    }
  }

  private String phase() {
    return application.find().map(it -> it.status("/phase")).orElse("");
  }

  private String hashOfComing() {
    return application.get().status("/deployment/target/hash");
  }

  @Override
  public void begin(Operation operation) {
    switch (of(operation)) {
      case DEPLOY -> application.apply(running.manifest());
      case UPGRADE, BESIDE -> apply(newer());
      case ROLL_BACK -> {
        Version fails = newer();
        application.apply(
            fails
                .manifest()
                .spec("programArgs", "--rate 25 --keys 10 --fail-at-start open")
                .flinkConfig("restart-strategy.type", "none"));
      }
      case RESCALE -> {
        parallelism++;
        apply(
            new Version(
                running.manifest().spec("parallelism", parallelism), running.round(), parallelism));
      }
      case PROMOTION -> {
        Version newer = newer();
        apply(
            new Version(
                newer.manifest().spec("promotion", Map.of("checkpoints", 1)),
                newer.round(),
                newer.parallelism()));
      }
      case TEAR_DOWN ->
          application.apply(coming.manifest().spec("tearDownVersionHash", hashOfComing()));
      case DELETE -> {
        String unused =
            scene
                .cluster()
                .kubectl()
                .run(
                    "delete",
                    "-n",
                    application.namespace(),
                    "flinkapp",
                    application.name(),
                    "--wait=false");
      }
    }
  }

  private void apply(Version version) {
    coming = version;
    application.apply(version.manifest());
  }

  @Override
  public boolean isOver(Operation any) {
    ApplicationOperation operation = of(any);
    Optional<Resource> now = application.find();
    return switch (operation) {
      case DELETE -> now.isEmpty();
      case BESIDE -> now.filter(ApplicationSurvivor::bothRun).isPresent();
      case ROLL_BACK -> now.filter(ApplicationSurvivor::hasFailed).isPresent();
      case DEPLOY, UPGRADE, RESCALE, PROMOTION, TEAR_DOWN ->
          now.filter(it -> hasSucceeded(it, "Running")).isPresent();
    };
  }

  private static boolean bothRun(Resource now) {
    return hasSucceeded(now, "DualRunning");
  }

  private static boolean hasSucceeded(Resource now, String phase) {
    return now.isReady()
        && now.status("/phase").equals(phase)
        && now.status("/operation/state").equals("Succeeded");
  }

  private static boolean hasFailed(Resource now) {
    return now.observed()
        && now.status("/phase").equals("DeployFailed")
        && now.status("/operation/state").equals("Failed");
  }

  /** It has ended well: remembers what the next one needs. */
  void ended(ApplicationOperation operation) {
    switch (operation) {
      case DEPLOY, ROLL_BACK, BESIDE -> {
        // what is deployed has not changed
      }
      case UPGRADE, RESCALE, PROMOTION -> running = coming;
      case TEAR_DOWN -> coming = running;
      // what is deployed next begins empty
      case DELETE -> beginAnew();
    }
  }

  private Version newer() {
    rounds++;
    parallelism = 1;
    String round = Integer.toString(rounds);
    Manifest manifest =
        application
            .manifest()
            .flinkConfig(Manifest.ROUND, round)
            .spec("deploymentMode", mode.toString());
    return new Version(
        mode == Mode.DUAL ? manifest.spec("scaleMode", "InPlace") : manifest, round, parallelism);
  }
}
