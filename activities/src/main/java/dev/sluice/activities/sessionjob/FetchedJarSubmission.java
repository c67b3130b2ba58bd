package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.jar.JarStart;
import dev.sluice.activities.jar.StartOutcome;
import dev.sluice.activities.jar.StartOutcome.FailedAtOnce;
import dev.sluice.activities.jar.StartOutcome.NotStarted;
import dev.sluice.activities.jar.StartOutcome.Unknown;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** {@link JarSubmission} by {@link JarStart}: the failures are those of activities. */
public final class FetchedJarSubmission implements JarSubmission {

  private static final String OF_THE_OPERATOR = "kubernetes.operator.";

  private static final String INTERNAL = "$internal.";
  private static final String TARGET = "execution.target";

  private final JarStart starts;

  public FetchedJarSubmission(JarStart starts) {
    this.starts = starts;
  }

  @Override
  public void run(Endpoint cluster, Run job, JarStart.Lease alive) {
    StartOutcome outcome = starts.start(request(cluster, job), alive);
    if (outcome instanceof NotStarted not) {
      throw failure(cluster, job, not);
    }
    if (outcome instanceof Unknown unknown) {
      throw ApplicationFailure.newFailure(
          "Whether %s has started job %s is not known: %s. It is looked for before it is run again"
              .formatted(cluster, job.jobId(), unknown.why()),
          FailureType.CLUSTER_NOT_READY);
    }
    if (outcome instanceof FailedAtOnce failed) {
      throw ApplicationFailure.newNonRetryableFailure(
          "Job %s on %s failed at once: %s".formatted(job.jobId(), cluster, failed.why()),
          FailureType.JOB_FAILED);
    }
  }

  private static ApplicationFailure failure(Endpoint cluster, Run job, NotStarted not) {
    String message =
        switch (not.failed()) {
          case ARTIFACT ->
              "The jar of job %s (spec.job.jarURI) cannot be fetched: %s"
                  .formatted(job.jobId(), not.why());
          case JOB_MANAGER ->
              "Job %s was not started, because %s does not take its jar: %s"
                  .formatted(job.jobId(), cluster, not.why());
          case PROGRAM -> "%s refuses job %s: %s".formatted(cluster, job.jobId(), not.why());
        };
    String type =
        switch (not.failed()) {
          case ARTIFACT -> FailureType.REFUSED;
          case JOB_MANAGER -> FailureType.CLUSTER_NOT_READY;
          case PROGRAM -> FailureType.JOB_FAILED;
        };
    return not.mayPass()
        ? ApplicationFailure.newFailure(message, type)
        : ApplicationFailure.newNonRetryableFailure(message, type);
  }

  private static JarStart.Request request(Endpoint cluster, Run job) {
    return new JarStart.Request(
        cluster,
        JarCheck.parsed(job.jarUri()),
        job.configuration().asMap(),
        new JarRun(
            // an unknown version is a new one: what it does not know of the request, it ignores
            Objects.requireNonNullElse(job.flinkVersion(), FlinkVersion.V2_2),
            job.jobId(),
            new JarRun.Program(job.entryClass(), job.args(), job.parallelism()),
            job.savepointPath() == null
                ? null
                : new JarRun.Restore(
                    job.savepointPath(), job.allowNonRestoredState(), RestoreKeys.NO_CLAIM),
            forFlink(job.configuration())));
  }

  /** What the request does not say, Flink takes from here: also what the job starts from. */
  private static Map<String, String> forFlink(FlinkConfiguration ofJob) {
    Map<String, String> configuration = new TreeMap<>(ofJob.asMap());
    configuration
        .keySet()
        .removeIf(
            key ->
                key.startsWith(OF_THE_OPERATOR)
                    || key.startsWith(INTERNAL)
                    || key.equals(TARGET)
                    || RestoreKeys.ALL.contains(key));
    return configuration;
  }
}
