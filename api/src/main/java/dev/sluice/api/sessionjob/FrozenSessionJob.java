package dev.sluice.api.sessionjob;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FrozenDocument;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a FlinkSessionJob as it was when an operation began, kept as a JSON string in {@code
 * status.reconciliationStatus}, in Apache's format ({@link FrozenDocument}).
 *
 * <p>It has no defaults of its own: what it does not say, its session cluster does, as that is
 * deployed when the job is started.
 *
 * @param spec the whole spec
 * @param generation {@code metadata.generation} the spec had; 0 when the writer did not say
 * @param firstDeployment whether nothing was deployed before it
 * @param byApache Apache's operator wrote it
 */
public record FrozenSessionJob(
    FlinkSessionJobSpec spec, long generation, boolean firstDeployment, boolean byApache) {

  /** One that Sluice freezes. */
  public FrozenSessionJob(FlinkSessionJobSpec spec, long generation, boolean firstDeployment) {
    this(spec, generation, firstDeployment, false);
  }

  /** The string for {@code lastReconciledSpec}; the same each time for the same spec. */
  public String toJson() {
    return new FrozenDocument(
            FrozenDocument.tree(spec),
            generation,
            firstDeployment,
            byApache ? null : FlinkConfiguration.empty())
        .toJson(FlinkSessionJob.API_VERSION);
  }

  /**
   * As {@link #parse}; null for null.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static @Nullable FrozenSessionJob parseNullable(@Nullable String json) {
    return json == null ? null : parse(json);
  }

  /**
   * Reads what {@link #toJson} or Apache's operator wrote.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static FrozenSessionJob parse(String json) {
    FrozenDocument document = FrozenDocument.parse(json);
    return new FrozenSessionJob(
        document.spec(FlinkSessionJobSpec.class),
        document.generation(),
        document.firstDeployment(),
        document.defaults() == null);
  }
}
