package dev.sluice.activities.flink;

import dev.sluice.api.common.CheckpointType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Flink's REST API as far as Sluice uses it, for 1.20 and 2.x. Every call blocks until Flink has
 * answered, and throws a {@link FlinkRestException} where it does not. An interrupt abandons the
 * call as {@link FlinkRestException.Unreachable}; the thread stays interrupted. Two calls to one
 * cluster never overlap.
 *
 * <p>There is no way here to read a state from {@code GET /jobs/:id}: Flink answers it (and {@code
 * /jobs/:id/exceptions}, {@code /jobs/:id/checkpoints}) from a cache of {@code
 * web.refresh-interval}, 3 s by default, so that a job is said to be RUNNING seconds after it was
 * cancelled. Decide from {@link #jobsOverview}, which is always fresh: RUNNING says nothing about
 * tasks, use {@link JobOverview#isUp()}.
 *
 * <p>Job ids and trigger ids are 32 hexadecimal digits. A trigger id is chosen by the caller and
 * fixed before the call, which makes the trigger idempotent: the same id again, even while the
 * operation runs or when it is over, is answered as the first time and starts nothing.
 */
public interface FlinkRest extends AutoCloseable {

  /**
   * The same client, whose calls are {@link FlinkRestException.Unreachable} after that time,
   * including the time queued behind other calls.
   */
  FlinkRest within(Duration atMost);

  /** The answer to a call that may fail without consequence; null when it failed. */
  static <T> @Nullable T orNull(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException unanswered) {
      return null;
    }
  }

  /** Versions, TaskManagers and slots ({@code GET /overview}). */
  ClusterOverview overview(Endpoint cluster);

  /** Its TaskManagers, one by one ({@code GET /taskmanagers}). */
  List<TaskManagerOverview> taskManagers(Endpoint cluster);

  /**
   * Every job the JobManager knows, always fresh ({@code GET /jobs/overview}). An empty list is an
   * answer too: a JobManager that came back knows nothing of jobs that ended before.
   */
  JobsOverview jobsOverview(Endpoint cluster);

  /**
   * Checkpoint statistics ({@code GET /jobs/:id/checkpoints}), up to {@code web.refresh-interval}
   * old: what is missing may just not be there yet.
   *
   * @return empty for a job that cannot take checkpoints or savepoints at all
   */
  Optional<Checkpoints> checkpoints(Endpoint cluster, String jobId);

  /**
   * One checkpoint or savepoint that was completed ({@code GET /jobs/:id/checkpoints/details/:id}),
   * by the same statistics.
   *
   * @return empty when Flink does not know it (yet, or any more), or it is not completed
   */
  Optional<Checkpoints.Completed> completedCheckpoint(
      Endpoint cluster, String jobId, long checkpointId);

  /**
   * The bytes of its newest completed checkpoint or savepoint, by the same statistics; empty while
   * there is none.
   */
  OptionalLong stateSize(Endpoint cluster, String jobId);

  /**
   * How the job takes checkpoints ({@code GET /jobs/:id/checkpoints/config}), which does not change
   * while it lives.
   *
   * @return empty for a job that cannot take checkpoints or savepoints at all
   */
  Optional<CheckpointSettings> checkpointSettings(Endpoint cluster, String jobId);

  /**
   * What a job counts ({@code GET /jobs/:id/metrics}). Flink answers from a cache of some seconds
   * ({@code metrics.fetcher.update-interval}), and after a restart of the JobManager counts anew.
   *
   * @param names of metrics
   * @return the values of those that the job has now
   */
  Map<String, Long> metrics(Endpoint cluster, String jobId, List<String> names);

  /**
   * The highest value of a metric: of the job ({@code GET /jobs/:id/metrics}), or else of all
   * subtasks of its vertices ({@code GET /jobs/:id/vertices/:id/subtasks/metrics}), from the same
   * cache.
   *
   * @param name of the metric; of a vertex also the end of its name, after a dot
   * @return empty when the job has no such metric now, or it is no finite number
   */
  OptionalDouble highest(Endpoint cluster, String jobId, String name);

  /** How Flink executes the job ({@code GET /jobs/:id/plan}), which never changes. */
  JobType jobType(Endpoint cluster, String jobId);

  /**
   * Starts a savepoint ({@code POST /jobs/:id/savepoints}). Flink accepts this even for a job it
   * does not know or that has no running task; only {@link #savepointStatus} tells how it went.
   *
   * @param targetDirectory where to put it; null for the cluster's {@code
   *     execution.checkpointing.savepoint-dir}; with neither, Flink rejects the trigger
   */
  Triggered triggerSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      SavepointFormat format);

  /**
   * Takes a savepoint and ends the job ({@code POST /jobs/:id/stop}); accepted as blindly as {@link
   * #triggerSavepoint} and followed by the same {@link #savepointStatus}. It aborts a savepoint
   * that is in flight. The job's retained checkpoints are deleted by Flink when it ends this way.
   *
   * @param targetDirectory as in {@link #triggerSavepoint}
   * @param drain emit MAX_WATERMARK first: ends the computation permanently, not for an upgrade
   */
  Triggered stopWithSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      boolean drain,
      SavepointFormat format);

  /**
   * What became of a savepoint or stop ({@code GET /jobs/:id/savepoints/:trigger}). Results live in
   * the JobManager's memory: after its restart, and some minutes after the end of an operation, the
   * answer is {@link SavepointOperation.Unknown}, which is not a failure.
   */
  SavepointOperation savepointStatus(Endpoint cluster, String jobId, String triggerId);

  /** Starts a checkpoint ({@code POST /jobs/:id/checkpoints}); accepted blindly, as savepoints. */
  Triggered triggerCheckpoint(
      Endpoint cluster, String jobId, String triggerId, CheckpointType type);

  /** What became of a checkpoint ({@code GET /jobs/:id/checkpoints/:trigger}). */
  CheckpointOperation checkpointStatus(Endpoint cluster, String jobId, String triggerId);

  /**
   * Cancels a job ({@code PATCH /jobs/:id?mode=cancel}). The request is only accepted here, or the
   * job has ended in another way: it is gone when {@link #jobsOverview} says so. A job Flink does
   * not know is {@link FlinkRestException.NotFound}, which does not say that it is gone: a
   * JobManager that just started may not have recovered it yet.
   */
  void cancel(Endpoint cluster, String jobId);

  /**
   * Why a job failed or restarted ({@code GET /jobs/:id/exceptions}), up to {@code
   * web.refresh-interval} old: what is missing may just not be there yet.
   *
   * @param most how many at most, the newest
   */
  JobExceptions exceptions(Endpoint cluster, String jobId, int most);

  /**
   * With how many subtasks its vertices may run ({@code GET /jobs/:id/resource-requirements}). Only
   * an adaptive scheduler knows; the default one is {@link FlinkRestException.Rejected}.
   */
  ResourceRequirements requirements(Endpoint cluster, String jobId);

  /**
   * Changes that ({@code PUT}), for all vertices at once; the same again changes nothing. Flink
   * starts the tasks anew by itself, from the newest checkpoint, when there are slots for more.
   */
  ResourceRequirements require(Endpoint cluster, String jobId, ResourceRequirements wanted);

  /**
   * With how many subtasks its vertices run ({@code GET /jobs/:id}), up to {@code
   * web.refresh-interval} old: ask {@link #jobsOverview}, too.
   *
   * @return by the id of the vertex
   */
  Map<String, ResourceRequirements.Vertex> vertices(Endpoint cluster, String jobId);

  /**
   * Starts the deletion of a savepoint's files ({@code POST /savepoint-disposal}). Flink gives this
   * operation its own id and takes none of ours, so doing it twice disposes twice; the second finds
   * no files, which {@link DisposalOperation.Failed} tells.
   */
  Triggered disposeSavepoint(Endpoint cluster, String savepointPath);

  /** What became of a disposal ({@code GET /savepoint-disposal/:trigger}). */
  DisposalOperation disposalStatus(Endpoint cluster, String triggerId);

  @Override
  void close();
}
