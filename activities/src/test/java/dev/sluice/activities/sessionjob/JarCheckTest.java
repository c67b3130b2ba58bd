package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.workflows.activity.FailureType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCheckTest {

  @TempDir Path folder;

  private static JarCheck check(String jarUri, JarStart.Artifacts artifacts) {
    JobSpec job = JobSpec.of(jarUri, 1, UpgradeMode.SAVEPOINT);
    SessionJobTarget target =
        new SessionJobTarget(
            new FrozenSessionJob(SessionJobs.SPEC.withJob(job), 7, false), new SessionPlace(null));
    return new JarCheck(target, artifacts);
  }

  private static ProbeResult<Void> outcome(JarStart.Artifacts artifacts) {
    return check("https://repo.example.com/job.jar", artifacts).look();
  }

  @Test
  void aJarThatIsThereIsFetchedAndNotKept() throws IOException {
    Path jar = Files.createFile(folder.resolve("a.jar"));

    assertThat(outcome((from, configuration) -> new FetchedArtifact(jar)))
        .isEqualTo(ProbeResult.done(null));
    assertThat(jar).doesNotExist();
  }

  @Test
  void aJarThatIsNotThereIsRefusedWithTheFieldAndWhatBecomesOfTheJob() {
    assertThat(
            outcome(
                (from, configuration) -> {
                  throw ArtifactException.lasting("answered 404");
                }))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            it -> {
              assertThat(it.type()).isEqualTo(FailureType.REFUSED);
              assertThat(it.message())
                  .contains("generation 7", "spec.job.jarURI", "404", "was not stopped");
            });
  }

  @Test
  void aJarInTheImageIsNotFetched() {
    JarStart.Artifacts none =
        (from, configuration) -> {
          throw new AssertionError();
        };

    assertThat(check("local:///opt/flink/usrlib/job.jar", none).look())
        .isEqualTo(ProbeResult.done(null));
  }
}
