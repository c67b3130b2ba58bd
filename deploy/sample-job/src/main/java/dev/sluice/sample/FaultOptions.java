package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.JobListener;

/**
 * The ways in which the job misbehaves when told to.
 *
 * @param atStart where it fails before the first element
 * @param afterRecords each subtask fails after it counted this many elements since it started; 0:
 *     never
 * @param whileFile every element fails while this file exists; empty: never
 * @param slowStart every subtask takes this long to open
 * @param slowSnapshot every snapshot takes this long; negative: it never ends
 * @param slowSnapshotWhileFile snapshots are slow only while this file exists; empty: always
 * @param mainWhileFile {@code main} waits while this file exists, before it submits; empty: never
 * @param submittedWhileFile it waits where Flink tells it that it has submitted; empty: never
 */
record FaultOptions(
    AtStart atStart,
    long afterRecords,
    String whileFile,
    Duration slowStart,
    Duration slowSnapshot,
    String slowSnapshotWhileFile,
    String mainWhileFile,
    String submittedWhileFile)
    implements Serializable, JobListener {

  @Serial private static final long serialVersionUID = 1L;
  private static final long POLL_MILLIS = 50;

  /** Where a job fails before its first element. */
  enum AtStart {
    /** It does not. */
    NEVER,
    /** In {@code main}: the job is never submitted. */
    MAIN,
    /** When the operator opens: the job is submitted, fails and restarts. */
    OPEN
  }

  static final FaultOptions NONE =
      new FaultOptions(AtStart.NEVER, 0, "", Duration.ZERO, Duration.ZERO, "", "", "");

  void inMain() throws InterruptedException {
    while (exists(mainWhileFile)) {
      Thread.sleep(POLL_MILLIS);
    }
    if (atStart == AtStart.MAIN) {
      throw new IllegalStateException("Told to fail at start, in main (--fail-at-start main).");
    }
  }

  /** On the thread of {@code main}, inside of {@code execute}. */
  @Override
  public void onJobSubmitted(JobClient job, Throwable failure) {
    try {
      while (exists(submittedWhileFile)) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onJobExecuted(JobExecutionResult result, Throwable failure) {}

  void inOpen() throws InterruptedException {
    Thread.sleep(slowStart.toMillis());
    if (atStart == AtStart.OPEN) {
      throw new IllegalStateException("Told to fail at start, in open (--fail-at-start open).");
    }
  }

  /**
   * @param counted elements this subtask counted since it started
   */
  void atRecord(long counted) {
    if (afterRecords > 0 && counted >= afterRecords) {
      throw new IllegalStateException(
          "Told to fail after " + afterRecords + " records (--fail-after).");
    }
    if (exists(whileFile)) {
      throw new IllegalStateException(
          "Told to fail while " + whileFile + " exists (--fail-while-file).");
    }
  }

  /** Holds the task's thread: the checkpoint or savepoint it belongs to stays in progress. */
  void inSnapshot() throws InterruptedException {
    long start = System.nanoTime();
    while (snapshotIsHeld(System.nanoTime() - start)) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private boolean snapshotIsHeld(long heldNanos) {
    if (!slowSnapshotWhileFile.isEmpty() && !exists(slowSnapshotWhileFile)) {
      return false;
    }
    return slowSnapshot.isNegative() || heldNanos < slowSnapshot.toNanos();
  }

  private static boolean exists(String file) {
    return !file.isEmpty() && Files.exists(Path.of(file));
  }
}
