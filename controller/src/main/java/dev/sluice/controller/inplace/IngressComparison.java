package dev.sluice.controller.inplace;

import dev.sluice.activities.manifest.common.SpecHash;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether an Ingress says what it should. What others add to it is theirs: annotations and labels
 * of Ingress controllers, and the default class.
 */
final class IngressComparison {

  private IngressComparison() {}

  static boolean isAsWanted(Ingress there, Ingress wanted) {
    return isMadeFrom(there, wanted)
        && contains(there.getMetadata().getLabels(), wanted.getMetadata().getLabels())
        && contains(there.getMetadata().getAnnotations(), wanted.getMetadata().getAnnotations())
        && there.getMetadata().getOwnerReferences().stream()
            .map(OwnerReference::getUid)
            .anyMatch(wanted.getMetadata().getOwnerReferences().get(0).getUid()::equals)
        && there.getSpec() != null
        && there.getSpec().getRules().equals(wanted.getSpec().getRules())
        && (wanted.getSpec().getTls().isEmpty()
            || there.getSpec().getTls().equals(wanted.getSpec().getTls()))
        && (wanted.getSpec().getIngressClassName() == null
            || wanted
                .getSpec()
                .getIngressClassName()
                .equals(there.getSpec().getIngressClassName()));
  }

  /** Whether it was last applied from the same spec, whatever happened to it since. */
  static boolean isMadeFrom(HasMetadata there, HasMetadata wanted) {
    String hash = hash(wanted);
    return hash != null && hash.equals(hash(there));
  }

  private static @Nullable String hash(HasMetadata object) {
    return orNone(object.getMetadata().getAnnotations()).get(SpecHash.ANNOTATION);
  }

  private static boolean contains(
      @Nullable Map<String, String> there, @Nullable Map<String, String> wanted) {
    return orNone(there).entrySet().containsAll(orNone(wanted).entrySet());
  }

  private static Map<String, String> orNone(@Nullable Map<String, String> entries) {
    return Objects.requireNonNullElse(entries, Map.of());
  }
}
