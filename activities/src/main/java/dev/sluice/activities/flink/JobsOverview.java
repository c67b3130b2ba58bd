package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/** The jobs a JobManager knows, running and ended. */
public record JobsOverview(@JsonProperty(required = true) List<JobOverview> jobs) {

  public JobsOverview {
    jobs = List.copyOf(jobs);
  }

  public Optional<JobOverview> job(String jobId) {
    return jobs.stream().filter(job -> job.jobId().equals(jobId)).findFirst();
  }

  public List<JobOverview> aliveBut(String jobId) {
    return alive().stream().filter(job -> !job.jobId().equals(jobId)).toList();
  }

  /** Jobs that have not ended permanently. */
  public List<JobOverview> alive() {
    return jobs.stream().filter(job -> !job.state().isGloballyTerminal()).toList();
  }
}
