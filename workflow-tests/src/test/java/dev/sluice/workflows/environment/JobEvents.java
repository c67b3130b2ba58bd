package dev.sluice.workflows.environment;

import dev.sluice.workflows.environment.JobManagerProcess.Phase;
import java.util.function.Consumer;

/** What happens to the job of an {@link Environment} by itself, or by hand in Flink. */
abstract class JobEvents {

  /** Notes what happens. */
  public abstract void note(String line);

  abstract KubernetesModel kubernetes();

  abstract boolean healed();

  /** A task fails, and the job starts again from its newest checkpoint. */
  public synchronized void failOver() {
    withJob("fails over", FlinkJob::failOver);
  }

  /** Its TaskManagers go, and none comes until that is healed. */
  public synchronized void loseSlots() {
    withJob("loses its slots", FlinkJob::loseSlots);
  }

  /** Its restart strategy gives up. */
  public synchronized void failJob() {
    withJob("fails for good", FlinkJob::fail);
  }

  /** All its sources come to their end. */
  public synchronized void finishJob() {
    withJob(
        "finishes",
        job -> {
          if (job.isUp(healed())) {
            job.finishByItself();
          }
        });
  }

  /** Somebody cancels it in Flink's UI. */
  public synchronized void cancelJobByHand() {
    withJob("is cancelled by hand", FlinkJob::cancel);
  }

  /** It completes a checkpoint now. */
  public synchronized void checkpoint() {
    withJob(
        "completes a checkpoint",
        job -> {
          if (job.isUp(healed())) {
            job.completeCheckpoint();
          }
        });
  }

  /** Somebody takes a savepoint of it. */
  public synchronized void savepointByHand() {
    withJob(
        "completes a savepoint",
        job -> {
          if (job.isUp(healed())) {
            job.completeSavepoint();
          }
        });
  }

  private void withJob(String what, Consumer<FlinkJob> change) {
    JobManagerProcess process = kubernetes().answering();
    if (process != null && process.phase() == Phase.UP && process.job() != null) {
      note("the job " + what);
      change.accept(process.job());
      process.keepMetadata();
    }
  }
}
