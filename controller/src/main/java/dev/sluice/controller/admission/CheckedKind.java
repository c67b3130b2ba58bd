package dev.sluice.controller.admission;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Function;

/**
 * How specs of one kind are checked.
 *
 * @param type of its resources
 * @param rules those of its reconciler, on a resource as it would be stored
 */
public record CheckedKind<R extends HasMetadata>(Class<R> type, Function<R, Verdict> rules) {

  boolean isOf(Review review) {
    return HasMetadata.getGroup(type).equals(review.group())
        && HasMetadata.getKind(type).equals(review.kind());
  }
}
