package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.JarServer;
import dev.sluice.e2e.job.JarServer.Answer;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.local.demo.Counts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How a jar that cannot be had ends: held until it is there, or until the spec is corrected, with
 * the running job untouched. Which faults there are, ArtifactFetcherTest knows.
 */
@Tag("e2e")
@OnTestCluster
class JarServerIT {

  private static final String HELD = "Upgrade Blocked CheckJar";

  @Test
  void noJobIsStoppedForAJarThatCannotBeHad(Scene scene) throws Exception {
    Job session = SessionJob.cluster(scene, "queries", "flink:2.2");
    session.deploy(session.manifest("session.yaml"));
    SessionJob clicks = new SessionJob(scene.cluster(), session, "clicks");

    try (JarServer jars = new JarServer(SessionJob.jar(session))) {
      Manifest served = clicks.manifest().jar(jars.uri());
      clicks.deploy(served);
      String first = clicks.jobId();

      // when the jar of the next spec is not there
      jars.answering(Answer.MISSING);
      clicks.apply(served.parallelism(2));
      Resource held = clicks.await("held", it -> it.operation().equals(HELD));

      // then the job runs on
      assertThat(held.status("/operation/reason")).isEqualTo("Refused");
      assertThat(held.status("/operation/message")).contains("answered 404", "was not stopped");
      clicks.verifyUntouched(first);

      // when it comes, then the upgrade goes on by itself
      Counts before = clicks.counts();
      jars.answering(Answer.JAR);
      Resource upgraded = clicks.await("upgraded", Resource::isReady);
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
      assertThat(clicks.counts().problemSince(before)).isEmpty();

      // when its server sends the worker to the metadata of a cloud
      String second = clicks.jobId();
      jars.answering(Answer.REDIRECT);
      clicks.apply(served.parallelism(1));
      Resource refused = clicks.await("held", it -> it.observed() && it.operation().equals(HELD));

      // then it does not go there, and the job runs on
      assertThat(refused.status("/operation/message"))
          .contains("169.254.169.254", "no address of the internet");
      assertThat(session.flink().jobs()).contains(second + " RUNNING");

      // when the spec is corrected, then the upgrade goes on
      jars.answering(Answer.JAR);
      String checked = jars.uri() + "#sha256=";
      clicks.deploy(served.parallelism(1).jar(checked + jars.sha256()));

      // when the jar of a new job is another one
      String running = clicks.jobId();
      SessionJob views = new SessionJob(scene.cluster(), session, "views");
      views.apply(views.manifest().jar(checked + "0".repeat(64)));
      Resource wrong = views.await("held", it -> it.operation().equals("Deploy Blocked StartJob"));

      // then it is not started until the spec is corrected
      assertThat(wrong.status("/operation/reason")).isEqualTo("Refused");
      assertThat(wrong.status("/operation/message")).contains(jars.sha256());
      views.deploy(views.manifest().jar(checked + jars.sha256()));
      assertThat(session.flink().jobs()).contains(running + " RUNNING", views.jobId() + " RUNNING");
      assertThat(clicks.counts().exact()).isTrue();
      assertThat(views.counts().exact()).isTrue();
      views.delete();
    }
    clicks.delete();
  }
}
