package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.HalfUpload;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.OkHttpFlinkJars;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.activities.flink.SharedClusters;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.SessionJobActivities.EndJobRequest;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of FlinkSessionJobs on a real Flink and a real API server. */
@ExtendWith({SharedClusters.Extension.class, ApiServer.Extension.class})
class JobOnRealSessionIT {

  private static final Dns LOOPBACK = host -> List.of(InetAddress.getLoopbackAddress());

  @TempDir Path folder;
  private final FlinkCluster cluster;
  private final Unreliable jars =
      new Unreliable(new OkHttpFlinkJars(OkHttpFlinkJars.options(Duration.ofMinutes(2)), LOOPBACK));
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final List<String> jobs = new ArrayList<>();
  private SessionRig rig;

  JobOnRealSessionIT(SharedClusters clusters) {
    FlinkVersion[] versions = FlinkVersion.values();
    this.cluster = clusters.of(versions[versions.length - 1]);
  }

  @BeforeEach
  void aSessionCluster(ApiServer server) {
    rig = new SessionRig(server);
    rig.session(Map.of("rest.port", Integer.toString(cluster.endpoint().port())));
  }

  @AfterEach
  void nothingOfThisTestIsLeft() throws Exception {
    for (AutoCloseable it : toClose) {
      it.close();
    }
    jars.close();
    for (String job : jobs) {
      if (cluster.rest().jobsOverview(cluster.endpoint()).alive().stream()
          .anyMatch(it -> it.jobId().equals(job))) {
        cluster.rest().cancel(cluster.endpoint(), job);
      }
    }
  }

  /** A worker that was just started: it remembers nothing. */
  private JobStarts worker() throws IOException {
    ArtifactFetcher fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(
                new ArtifactOptions.Limits(1L << 30, Duration.ofMinutes(2), 0, 2),
                new ArtifactOptions.Sources(
                    false,
                    new AddressRules(List.of()),
                    List.of(SampleJob.file().toPath().toRealPath().getParent()),
                    null),
                folder));
    JobStarts starts =
        new JobStarts(new JarStart(cluster.rest(), jars, fetcher::fetch, Clock.systemUTC()), 4, 4);
    toClose.add(fetcher);
    return starts;
  }

  private ResourceRef job(String name, String jobId) {
    jobs.add(jobId);
    String uri = "file://" + SampleJob.file().toPath().toAbsolutePath().normalize();
    return rig.job(name, jobId, spec -> spec.withJob(JobSpec.of(uri, 1, UpgradeMode.STATELESS)));
  }

  private JobStartOnSession start(JobStarts worker, ResourceRef ref, String jobId) {
    return new JobStartOnSession(
        new StartJobRequest(
            ref,
            rig.job(jobId),
            1,
            new StateRef.Empty("it is the first"),
            rig.clock.in(Duration.ofMinutes(5))),
        rig.clusters(cluster.rest()),
        rig.writer(),
        worker);
  }

  private void started(JobStartOnSession start, String jobId) {
    assertThat(SessionRig.decided(start::look)).isEqualTo(ProbeResult.done(null));
    new SampleJob(cluster, jobId).running();
  }

  private long jobsOf(String jobId) {
    return cluster.rest().jobsOverview(cluster.endpoint()).jobs().stream()
        .filter(job -> job.jobId().equals(jobId))
        .count();
  }

  @Test
  void aJobWhoseAnswerWasLostIsStartedOnce() throws IOException {
    String jobId = SampleJob.newId();
    ResourceRef ref = job("totals", jobId);
    JobStarts first = worker();
    jars.loseTheAnswer = true;
    JobStartOnSession attempt = start(first, ref, jobId);
    for (int look = 0; look < 2; look++) {
      attempt.look(() -> true);
    }
    jars.loseTheAnswer = false;

    started(start(worker(), ref, jobId), jobId);

    assertThat(jars.submitted).hasValue(1);
    assertThat(jobsOf(jobId)).isEqualTo(1);
    assertThat(rig.submission(ref).jobId()).isEqualTo(jobId);
  }

  @Test
  void aWorkerThatEndsInMidUploadLeavesTheJobToTheNext() throws Exception {
    String jobId = SampleJob.newId();
    ResourceRef ref = job("totals", jobId);
    JobStarts first = worker();
    jars.uploadsStopHalfway = true;
    JobStartOnSession attempt = start(first, ref, jobId);
    attempt.look(() -> true);
    Thread look = new Thread(() -> attempt.look(() -> true));
    look.start();
    await().until(() -> jars.uploadedHalf.get() == 1);

    look.interrupt();
    look.join();
    jars.uploadsStopHalfway = false;

    started(start(worker(), ref, jobId), jobId);
    assertThat(jobsOf(jobId)).isEqualTo(1);
  }

  @Test
  void twoJobsAreStartedAtOnceAndOneIsEndedWhileTheOtherRunsOn() throws IOException {
    String one = SampleJob.newId();
    String other = SampleJob.newId();
    ResourceRef ref = job("one", one);
    ResourceRef another = job("other", other);
    JobStarts worker = worker();
    JobStartOnSession startOfOne = start(worker, ref, one);
    JobStartOnSession startOfOther = start(worker, another, other);

    CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> started(startOfOne, one)),
            CompletableFuture.runAsync(() -> started(startOfOther, other)))
        .join();
    JobEndOnSession end =
        new JobEndOnSession(
            new EndJobRequest(ref, rig.job(one), null, rig.clock.in(Duration.ofMinutes(3))),
            rig.clusters(cluster.rest()),
            rig.writer());

    assertThat(SessionRig.decided(end::look)).isEqualTo(ProbeResult.done(null));
    assertThat(rig.isRemoved(ref)).isTrue();
    assertThat(new SampleJob(cluster, one).overview().state()).isEqualTo(FlinkJobState.CANCELED);
    assertThat(new SampleJob(cluster, other).overview().isUp()).isTrue();
    assertThat(rig.isRemoved(another)).isFalse();
  }

  /** Calls whose answers get lost, or that hang. */
  private static final class Unreliable implements FlinkJars {
    private final FlinkJars flink;
    private volatile boolean loseTheAnswer;
    private volatile boolean uploadsStopHalfway;
    private final AtomicInteger uploadedHalf = new AtomicInteger();

    /** A run whose jar another worker has deleted is no submission. */
    private final AtomicInteger submitted = new AtomicInteger();

    Unreliable(FlinkJars flink) {
      this.flink = flink;
    }

    @Override
    public RunAnswer run(Endpoint cluster, String jarId, JarRun run) {
      RunAnswer answer = flink.run(cluster, jarId, run);
      if (answer instanceof RunAnswer.Submitted) {
        submitted.incrementAndGet();
      }
      if (loseTheAnswer) {
        throw new FlinkRestException.Unreachable("the answer got lost", null);
      }
      return answer;
    }

    @Override
    public String upload(Endpoint cluster, Path jar, String name) {
      return uploadsStopHalfway ? half(cluster, jar, name) : flink.upload(cluster, jar, name);
    }

    /** The connection ends with the attempt. */
    private String half(Endpoint cluster, Path jar, String name) {
      try (HalfUpload half = HalfUpload.begin(cluster, jar, name)) {
        uploadedHalf.incrementAndGet();
        new CountDownLatch(1).await();
        throw new AssertionError(half + " ended");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FlinkRestException.Unreachable("abandoned", e);
      }
    }

    /** Without what other tests have uploaded: whoever waits for an upload begins one. */
    @Override
    public List<UploadedJar> list(Endpoint cluster) {
      return uploadsStopHalfway ? List.of() : flink.list(cluster);
    }

    @Override
    public void delete(Endpoint cluster, String jarId) {
      flink.delete(cluster, jarId);
    }

    @Override
    public void close() {
      flink.close();
    }
  }
}
