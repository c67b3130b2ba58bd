package dev.sluice.api.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FrozenDocument;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a FlinkDeployment as it was when an operation began, kept as a JSON string in {@code
 * status.reconciliationStatus}, as {@link FrozenDocument} says.
 *
 * @param spec the whole spec
 * @param generation {@code metadata.generation} the spec had; 0 when the writer did not say
 * @param firstDeployment whether nothing was deployed before it
 * @param defaults the operator's Flink configuration that held when it was frozen; null when the
 *     writer did not say, as Apache's operator
 */
public record FrozenSpec(
    FlinkDeploymentSpec spec,
    long generation,
    boolean firstDeployment,
    @Nullable FlinkConfiguration defaults) {

  /** One that was frozen without any default. */
  public FrozenSpec(FlinkDeploymentSpec spec, long generation, boolean firstDeployment) {
    this(spec, generation, firstDeployment, FlinkConfiguration.empty());
  }

  /**
   * The configuration that the operator itself goes by once another spec of the resource is valid:
   * its keys take effect before it is frozen, the defaults are those of what is frozen.
   *
   * @param newest the newest spec, valid
   */
  public FlinkConfiguration operatorConfiguration(FlinkDeploymentSpec newest) {
    FlinkConfiguration own = newest.configuration();
    return defaults == null ? own : defaults.withAll(own.asMap());
  }

  /** The spec with the defaults where it does not say: what the cluster is made from. */
  public FlinkDeploymentSpec effective() {
    return defaults == null ? spec : spec.over(defaults);
  }

  /**
   * With what was not written: the defaults that may be secrets, or all of them where the writer
   * did not say.
   *
   * @param now the defaults as they are now
   */
  public FrozenSpec withMissingDefaults(FlinkConfiguration now) {
    if (defaults == null) {
      return new FrozenSpec(spec, generation, firstDeployment, now);
    }
    Map<String, String> secrets = new TreeMap<>(now.asMap());
    secrets
        .entrySet()
        .removeIf(entry -> !FrozenDocument.isSecret(entry.getKey(), entry.getValue()));
    return new FrozenSpec(
        spec,
        generation,
        firstDeployment,
        FlinkConfiguration.of(secrets).withAll(defaults.asMap()));
  }

  /**
   * The defaults that hold for the newest spec: a spec that is frozen already keeps those of that
   * time, because its cluster may be made from them.
   *
   * @param frozen the spec that is, or is being, deployed; null when there is none
   * @param newest {@code metadata.generation} of the newest spec
   * @param now the defaults as they are now
   */
  public static FlinkConfiguration defaultsFor(
      @Nullable FrozenSpec frozen, @Nullable Long newest, FlinkConfiguration now) {
    if (frozen == null || newest == null || frozen.generation != newest) {
      return now;
    }
    FlinkConfiguration then = frozen.withMissingDefaults(now).defaults();
    return then == null ? now : then;
  }

  /** The string for {@code lastReconciledSpec}; the same each time for the same spec. */
  public String toJson() {
    return new FrozenDocument(FrozenDocument.tree(spec), generation, firstDeployment, defaults)
        .toJson(FlinkDeployment.API_VERSION);
  }

  /**
   * As {@link #parse}; null for null.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static @Nullable FrozenSpec parseNullable(@Nullable String json) {
    return json == null ? null : parse(json);
  }

  /**
   * Reads what {@link #toJson} or Apache's operator wrote. Its oldest releases wrote the bare spec
   * with an {@code apiVersion} next to it.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static FrozenSpec parse(String json) {
    FrozenDocument document = FrozenDocument.parse(json);
    return new FrozenSpec(
        document.spec(FlinkDeploymentSpec.class),
        document.generation(),
        document.firstDeployment(),
        document.defaults());
  }
}
