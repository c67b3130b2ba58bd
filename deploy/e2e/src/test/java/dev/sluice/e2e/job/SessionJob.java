package dev.sluice.e2e.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.ImagePullException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A FlinkSessionJob of the sample job, as a person sees it. */
public final class SessionJob extends Managed {

  private static final ResourceDefinitionContext KIND =
      kind("flink.apache.org", "FlinkSessionJob", "flinksessionjobs");

  private final Job session;

  /**
   * A job that need not exist yet.
   *
   * @param session the session cluster that runs it
   */
  public SessionJob(TestCluster cluster, Job session, String name) {
    super(cluster, KIND, session.namespace(), name);
    this.session = session;
  }

  /**
   * A session cluster that is not deployed yet, whose pods will have the jar of the sample job.
   *
   * @param image the sample job as it was built for this Flink
   */
  public static Job cluster(Scene scene, String name, String image)
      throws IOException, ImagePullException {
    Job session = scene.job(name);
    Path jar = jar(session);
    Files.createDirectories(jar.getParent());
    FlinkImage flink = (FlinkImage) new FlinkImages().pull(image).orElseThrow();
    Files.copy(flink.usrlib().get(0), jar);
    return session;
  }

  /** That jar. */
  public static Path jar(Job session) {
    return session.state().resolve("jars/counter-job.jar");
  }

  /** The job of this name in the example, on the session cluster of the example. */
  public Manifest example() {
    return Manifest.example(
            cluster.local().config().root(), "session-jobs.yaml", name, session.state())
        .named(session.namespace(), name);
  }

  /** The first job of the example, under this name. */
  public Manifest manifest() {
    return Manifest.example(cluster.local().config().root(), "session-jobs.yaml", session.state())
        .named(session.namespace(), name)
        .on(session.name());
  }

  /** Applies it and waits until it runs. */
  public Resource deploy(Manifest manifest) {
    apply(manifest);
    return await("ready", Resource::isReady);
  }

  /** The job that Flink was last asked to run. */
  public String jobId() {
    return get().status("/submission/jobId");
  }

  /** What it has counted. */
  public Counts counts() {
    return session.flink().counts(jobId());
  }

  /** Until a checkpoint is completed that has all that was counted before. */
  public void awaitCheckpoint() {
    String job = jobId();
    int completed = session.flink().completedCheckpoints(job);
    Awaitility.await("a checkpoint of " + name)
        .pollInterval(Duration.ofMillis(200))
        // the next one may have begun before
        .until(() -> session.flink().completedCheckpoints(job) > completed + 1);
  }

  /** It runs under that id since it was deployed, and has counted exactly. */
  public void verifyUntouched(String jobId) {
    assertThat(jobId()).isEqualTo(jobId);
    Counts counts = counts();
    assertThat(counts.restored()).as(name + " was restored").isZero();
    assertThat(counts.exact()).as(name + " has counted exactly").isTrue();
  }
}
