package dev.sluice.activities.rescale;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Waits until every vertex of a job runs with as many subtasks as are required.
 *
 * @param wanted what was required
 */
record ParallelismWait(
    FlinkRest flink, Endpoint endpoint, String jobId, ResourceRequirements wanted) {

  ProbeResult<String> look() {
    JobOverview job = flink.jobsOverview(endpoint).job(jobId).orElse(null);
    if (job == null) {
      return ProbeResult.notYet("the JobManager answers; it has no job yet");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return ProbeResult.done("the job has finished");
    }
    if (job.state().isGloballyTerminal()) {
      return ProbeResult.failed(
          FailureType.JOB_FAILED, "Job %s is %s".formatted(jobId, job.state().name()));
    }
    if (!job.isUp()) {
      return unlessChanged("job is " + job.display());
    }
    // the sum is fresh, and what the vertices say is of a moment ago
    int tasks = wanted.vertices().values().stream().mapToInt(it -> it.upper()).sum();
    String missing = missing(flink.vertices(endpoint, jobId));
    return missing.isEmpty() && job.tasks().total() == tasks
        ? ProbeResult.done(job.tasks().display())
        : unlessChanged(missing.isEmpty() ? job.tasks().display() : missing);
  }

  private String missing(Map<String, Vertex> now) {
    return now.entrySet().stream()
        .flatMap(it -> missing(it.getKey(), it.getValue()).stream())
        .limit(3)
        .collect(Collectors.joining(", "));
  }

  private Optional<String> missing(String id, Vertex vertex) {
    return Optional.ofNullable(wanted.vertices().get(id))
        .map(ResourceRequirements.Bounds::upper)
        .filter(upper -> upper != vertex.parallelism())
        .map(
            upper ->
                "vertex %s runs with %d subtasks, not %d"
                    .formatted(id, vertex.parallelism(), upper));
  }

  /** A JobManager that was lost without high availability does not remember what was required. */
  private ProbeResult<String> unlessChanged(String progress) {
    return flink.requirements(endpoint, jobId).equals(wanted)
        ? ProbeResult.notYet(progress)
        : ProbeResult.failed(
            FailureType.OUTDATED,
            "the parallelism that is required of job %s has changed meanwhile".formatted(jobId));
  }
}
