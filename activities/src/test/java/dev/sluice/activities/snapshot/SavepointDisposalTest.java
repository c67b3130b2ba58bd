package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavepointDisposalTest {

  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final SavepointDisposal disposal =
      new SavepointDisposal(
          new DisposeRequest(Jobs.RESOURCE, PATH, clock.in(Duration.ofMinutes(1))),
          Jobs.ENDPOINT,
          flink,
          clock);

  private ProbeResult<Disposal> look() {
    return disposal.look(() -> true).join();
  }

  private Disposal outcome() {
    ProbeResult<Disposal> seen = look();
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Disposal>) seen).result();
  }

  /** Apache's operator never asks what became of it. */
  @Test
  void theResultIsAwaited() {
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    flink.disposal(new DisposalOperation.Completed());

    assertThat(outcome()).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).containsExactly("dispose " + PATH);
  }

  @Test
  void filesThatAreGoneAlreadyAreSuccess() {
    look();
    flink.disposal(new DisposalOperation.Failed(new FlinkCause("FileNotFoundException", PATH)));

    assertThat(outcome()).isInstanceOf(Disposal.Done.class);
  }

  @Test
  void anyOtherFailureIsTold() {
    look();
    flink.disposal(new DisposalOperation.Failed(new FlinkCause("IOException", "read-only")));

    assertThat(outcome()).isEqualTo(new Disposal.Failed("IOException: read-only"));
  }

  @Test
  void whatFlinkRefusesHasFailed() {
    flink.refuse(new FlinkRestException.Rejected(400, "no path"));

    assertThat(outcome()).isEqualTo(new Disposal.Failed("no path"));
  }

  @Test
  void aJobManagerThatDoesNotAnswerInTimeHasFailed() {
    flink.up(false);
    clock.advance(Duration.ofMinutes(2));

    assertThat(outcome()).isInstanceOf(Disposal.Failed.class);
  }

  @Test
  void aSavepointThatExistsIsKnownByItsMetadata(@TempDir Path folder) throws IOException {
    assertThat(ExistingSavepoint.at(folder.toUri().toString()).exists()).isFalse();
    Files.createFile(folder.resolve("_metadata"));

    assertThat(ExistingSavepoint.at(folder.toUri().toString()).exists()).isTrue();
    assertThat(ExistingSavepoint.at(folder.toString()).exists()).isTrue();
  }

  /** Its storage may not be mounted here. */
  @Test
  void aSavepointThatIsNotSeenFromHereIsBelieved(@TempDir Path folder) {
    assertThat(ExistingSavepoint.at("s3://bucket/savepoint-1").how()).contains("not looked at");
    assertThat(ExistingSavepoint.at(folder.resolve("missing").toString()).exists()).isTrue();
  }
}
