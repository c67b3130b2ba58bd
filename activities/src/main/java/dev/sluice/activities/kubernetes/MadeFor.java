package dev.sluice.activities.kubernetes;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the annotations of an object say that it was made for. */
public final class MadeFor {

  private MadeFor() {}

  /** The generation of the spec; null when it does not say. Apache's annotation counts as well. */
  public static @Nullable Long generation(HasMetadata object) {
    String text = annotation(object, Annotations.GENERATION);
    if (text == null) {
      text = annotation(object, Annotations.APACHE_GENERATION);
    }
    try {
      return text == null ? null : Long.valueOf(text.trim());
    } catch (NumberFormatException notOurs) {
      return null;
    }
  }

  /** Flink's job id; null when it does not say, as on what Apache's operator made. */
  public static @Nullable String jobId(HasMetadata object) {
    return annotation(object, Annotations.JOB_ID);
  }

  /** The job whose end was noted on a Deployment; null when none was. */
  public static @Nullable String finishedJob(HasMetadata object) {
    return annotation(object, Annotations.FINISHED_JOB);
  }

  /** Where the savepoint or checkpoint is that this job left; null when there is none. */
  public static @Nullable String finishedState(HasMetadata object) {
    return annotation(object, Annotations.FINISHED_STATE);
  }

  /** How this job ended; null when it does not say, or says something that is not known here. */
  public static @Nullable FlinkJobState finishedAs(HasMetadata object) {
    String text = annotation(object, Annotations.FINISHED_AS);
    return Stream.of(FlinkJobState.FAILED, FlinkJobState.CANCELED)
        .filter(state -> state.name().equals(text))
        .findFirst()
        .orElse(text == null ? FlinkJobState.FINISHED : null);
  }

  /** Since when that was noted while its JobManager runs; null when it does not say. */
  public static @Nullable Instant finishedAt(HasMetadata object) {
    String text = annotation(object, Annotations.FINISHED_AT);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException notOurs) {
      return null;
    }
  }

  /**
   * Whether the end of the job that the Deployment was made for was noted while its JobManager ran
   * on. Flink remembers that end with high availability only.
   */
  public static boolean hasEndNoted(HasMetadata deployment) {
    return tellsEnd(deployment) && finishedAt(deployment) != null;
  }

  /** Whether it is noted how the job ended that the Deployment was made for, and what it left. */
  public static boolean tellsEnd(HasMetadata deployment) {
    String ended = finishedJob(deployment);
    String madeFor = jobId(deployment);
    return ended != null
        && finishedAs(deployment) != null
        && (madeFor == null || madeFor.equals(ended));
  }

  private static @Nullable String annotation(HasMetadata object, String key) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(key);
  }
}
