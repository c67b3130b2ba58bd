package dev.sluice.activities.kubernetes;

import dev.sluice.api.Annotations;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** What the annotations of an object say that it was made for. */
public final class ClusterAnnotations {

  private ClusterAnnotations() {}

  /** The generation of the spec; null when it does not say. Apache's annotation counts as well. */
  public static @Nullable Long generation(HasMetadata object) {
    String text = Annotations.of(object, Annotations.GENERATION);
    if (text == null) {
      text = Annotations.of(object, Annotations.APACHE_GENERATION);
    }
    try {
      return text == null ? null : Long.valueOf(text.trim());
    } catch (NumberFormatException notOurs) {
      return null;
    }
  }

  /** Flink's job id; null when it does not say, as on what Apache's operator made. */
  public static @Nullable String jobId(HasMetadata object) {
    return Annotations.of(object, Annotations.JOB_ID);
  }
}
