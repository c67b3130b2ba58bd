package dev.sluice.e2e.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A FlinkSessionJob of the sample job, as a person sees it. */
public final class SessionJob {

  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkSessionJob")
          .withPlural("flinksessionjobs")
          .withNamespaced(true)
          .build();

  private final TestCluster cluster;
  private final Job session;
  private final String name;

  /**
   * A job that need not exist yet.
   *
   * @param session the session cluster that runs it
   */
  public SessionJob(TestCluster cluster, Job session, String name) {
    this.cluster = cluster;
    this.session = session;
    this.name = name;
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

  public String namespace() {
    return session.namespace();
  }

  public String name() {
    return name;
  }

  public void annotate(String annotation, String value) {
    String unused =
        cluster
            .kubectl()
            .run(
                "annotate",
                "-n",
                namespace(),
                "flinksessionjob",
                name,
                "--overwrite",
                annotation + "=" + value);
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

  public void apply(Manifest manifest) {
    cluster.kubectl().apply(manifest.text());
  }

  /** Applies it and waits until it runs. */
  public Resource deploy(Manifest manifest) {
    apply(manifest);
    return await("ready", Resource::isReady);
  }

  /** Until the resource is as it should be. */
  public Resource await(String what, Predicate<Resource> condition) {
    return Resource.await(session.namespace() + "/" + name, this::get, what, condition);
  }

  /** The resource now. */
  public Resource get() {
    return find().orElseThrow(() -> new AssertionError(name + " does not exist"));
  }

  /** The resource now; empty when it does not exist. */
  public Optional<Resource> find() {
    return Optional.ofNullable(resource().get())
        .map(it -> new Resource(Serialization.jsonMapper().valueToTree(it)));
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

  /** Deletes it and waits until it is gone. */
  public void delete() {
    resource().delete();
    Awaitility.await(name + " is deleted")
        .atMost(Patience.times(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> find().isEmpty());
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(KIND)
        .inNamespace(session.namespace())
        .withName(name);
  }
}
