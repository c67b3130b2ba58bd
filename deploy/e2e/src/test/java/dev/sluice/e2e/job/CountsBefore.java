package dev.sluice.e2e.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * What the job of an application had counted before something happened to it. Whichever job runs
 * afterwards must go on from there. Read it while the job runs.
 */
public final class CountsBefore {

  private final Application application;
  private final Counts before;
  private final List<Path> savepoints;

  private CountsBefore(Application application) {
    this.application = application;
    this.before = application.counts();
    this.savepoints = application.savepoints();
  }

  /** Reads them. */
  public static CountsBefore of(Application application) {
    return new CountsBefore(application);
  }

  /** The deployed version has state, works, and has lost and doubled nothing. */
  public Counts verifyExact() {
    Counts after = Awaitility.await().until(application::counts, it -> it.total() > before.total());
    assertThat(after.exact()).as("no element lost or doubled: %s", after).isTrue();
    return after;
  }

  /** It does so from the one savepoint that was taken meanwhile, which has all of the old state. */
  public Path verifyExactFromOneSavepoint() {
    Counts after = verifyExact();
    assertThat(after.restored()).isGreaterThanOrEqualTo(before.total());
    List<Path> taken = taken();
    assertThat(taken).as("savepoints").hasSize(1);
    assertThat(application.flink().restored(application.jobId()))
        .endsWith("/" + taken.get(0).getFileName());
    return taken.get(0);
  }

  /** It does so from a checkpoint of the old job, and no savepoint was taken. */
  public void verifyExactFromCheckpoint(String oldJob) {
    Counts after = verifyExact();
    assertThat(after.restored()).isPositive();
    assertThat(taken()).as("savepoints").isEmpty();
    assertThat(application.flink().restored(application.jobId())).contains("/" + oldJob + "/chk-");
  }

  /** The savepoints that were taken since. */
  public List<Path> taken() {
    List<Path> taken = new ArrayList<>(application.savepoints());
    taken.removeAll(savepoints);
    return taken;
  }
}
