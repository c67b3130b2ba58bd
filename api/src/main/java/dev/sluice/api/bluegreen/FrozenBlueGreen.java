package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FrozenDocument;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a FlinkBlueGreenDeployment that was reached, kept as a JSON string in {@code
 * status.lastReconciledSpec}. Apache's operator writes the same without the generation.
 *
 * @param spec the whole spec
 * @param generation {@code metadata.generation} the spec had; 0 when the writer did not say
 */
public record FrozenBlueGreen(FlinkBlueGreenDeploymentSpec spec, long generation) {

  /** The string for {@code lastReconciledSpec}; the same each time for the same spec. */
  public String toJson() {
    return new FrozenDocument(FrozenDocument.tree(spec), generation, false, null)
        .toJson(FlinkBlueGreenDeployment.API_VERSION);
  }

  /**
   * As Apache's operator makes a child of it: with the name of the child wherever that of the
   * parent stands in its JSON. Empty where it could not be read any more: the name is that of a
   * field.
   */
  public Optional<FrozenBlueGreen> withName(String parent, String child) {
    try {
      return Optional.of(parse(toJson().replace(parent, child)));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * As {@link #parse}; null for null.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static @Nullable FrozenBlueGreen parseNullable(@Nullable String json) {
    return json == null ? null : parse(json);
  }

  /**
   * Reads what {@link #toJson} or Apache's operator wrote.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static FrozenBlueGreen parse(String json) {
    FrozenDocument document = FrozenDocument.parse(json);
    JsonNode inner = document.spec().path("spec");
    FrozenDocument read =
        inner.isObject() ? new FrozenDocument(inner, document.generation(), false, null) : document;
    return new FrozenBlueGreen(
        read.spec(FlinkBlueGreenDeploymentSpec.class), document.generation());
  }
}
