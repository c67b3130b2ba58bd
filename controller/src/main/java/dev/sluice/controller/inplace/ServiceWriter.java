package dev.sluice.controller.inplace;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes labels and annotations of the Services of a cluster. The Services themselves are the
 * worker's: none is made, and the spec of none is touched, so that it does not matter which of both
 * is first.
 */
public final class ServiceWriter {

  private static final String LABEL = "label/";
  private static final String ANNOTATION = "annotation/";

  private final MetadataPatch metadata;

  /**
   * @param client stays the caller's to close
   */
  public ServiceWriter(KubernetesClient client) {
    this.metadata = new MetadataPatch(SingleTry.of(client));
  }

  /**
   * Changes what differs.
   *
   * @param deployed configuration of the spec that the cluster was made from
   * @param wanted configuration of the newest spec, which is valid
   * @param seen the informer's Services of this cluster
   */
  public InPlaceOutcome bring(
      ResourceRef ref,
      FlinkConfiguration deployed,
      FlinkConfiguration wanted,
      Collection<Service> seen) {
    Map<String, String> kinds =
        Map.of(ref.name() + "-rest", ServiceMetadata.REST, ref.name(), ServiceMetadata.INTERNAL);
    return seen.stream()
        .filter(it -> Ownership.of(it, ref) == Ownership.OURS)
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .flatMap(
            there ->
                Stream.ofNullable(kinds.get(there.getMetadata().getName()))
                    .flatMap(
                        kind ->
                            patch(
                                there,
                                ServiceMetadata.of(deployed, kind),
                                ServiceMetadata.of(wanted, kind))
                                .stream())
                    .map(patch -> write(there, patch)))
        .reduce(InPlaceOutcome.DONE, InPlaceOutcome::and);
  }

  private InPlaceOutcome write(Service there, Map<String, ?> patch) {
    String name = there.getMetadata().getName();
    String seen = there.getMetadata().getResourceVersion();
    return InPlaceOutcome.of(
        "change labels and annotations of Service " + name,
        "Kubernetes refuses labels or annotations: %s. Correct them in flinkConfiguration, or remove what refuses them.",
        () -> {
          Service now = metadata.apply(there, patch);
          return Objects.equals(seen, now.getMetadata().getResourceVersion())
              ? InPlaceOutcome.DONE // an admission webhook has taken the change back
              : InPlaceOutcome.changed(
                  StatusEvent.normal(
                      EventReasons.SERVICE_CHANGED,
                      "Labels and annotations of Service %s were changed.".formatted(name)));
        });
  }

  /**
   * The change of the metadata of a Service that makes it what the newest spec says, with null for
   * what goes; empty when none is needed. It applies to this version of the Service only: one that
   * the informer has not seen yet may be what a former patch has made. Pure.
   */
  static Optional<Map<String, ?>> patch(
      Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    ObjectMeta seen = there.getMetadata();
    Map<String, String> hasAnnotations = orNone(seen.getAnnotations());
    String noted = hasAnnotations.get(Annotations.IN_PLACE);
    Map<String, @Nullable String> labels =
        change(orNone(seen.getLabels()), noted, LABEL, deployed.labels(), wanted.labels());
    Map<String, @Nullable String> annotations =
        change(hasAnnotations, noted, ANNOTATION, deployed.annotations(), wanted.annotations());
    String note = wanted.equals(deployed) ? null : note(wanted);
    if (!Objects.equals(note, noted)) {
      annotations.put(Annotations.IN_PLACE, note);
    }
    return labels.isEmpty() && annotations.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Map.of(
                "resourceVersion",
                seen.getResourceVersion(),
                "labels",
                labels,
                "annotations",
                annotations));
  }

  /**
   * @param noted what was changed in place before, see {@link #note}; null for nothing
   * @param old entries of the spec that the cluster was made from
   */
  private static Map<String, @Nullable String> change(
      Map<String, String> has,
      @Nullable String noted,
      String kind,
      Map<String, String> old,
      Map<String, String> now) {
    Map<String, @Nullable String> patch = new TreeMap<>();
    Stream.concat(
            old.keySet().stream(),
            Stream.of(noted == null ? new String[0] : noted.split(",", -1))
                .filter(name -> name.startsWith(kind))
                .map(name -> name.substring(kind.length())))
        .filter(name -> has.containsKey(name) && !now.containsKey(name))
        .forEach(name -> patch.put(name, null));
    now.forEach(
        (name, value) -> {
          if (!value.equals(has.get(name))) {
            patch.put(name, value);
          }
        });
    return patch;
  }

  /** Names of what to take away once the spec no longer has it; the worker's apply would not. */
  private static String note(ServiceMetadata wanted) {
    return String.join(
        ",",
        Stream.concat(
                wanted.annotations().keySet().stream().map(ANNOTATION::concat),
                wanted.labels().keySet().stream().map(LABEL::concat))
            .sorted()
            .toList());
  }

  private static Map<String, String> orNone(@Nullable Map<String, String> entries) {
    return Objects.requireNonNullElse(entries, Map.of());
  }
}
