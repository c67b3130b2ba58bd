package dev.sluice.controller.inplace;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ServiceMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What has to change in the metadata of a Service. Pure.
 *
 * <p>The worker applies a whole Service from the spec that it deploys. This touches nothing but the
 * labels and annotations that people have set, and never the spec of the Service: so it does not
 * matter which of both is first.
 */
final class ServiceChange {

  private static final String LABEL = "label/";
  private static final String ANNOTATION = "annotation/";

  private final Service there;
  private final ServiceMetadata deployed;
  private final ServiceMetadata wanted;
  private final ObjectNode labels = JsonNodeFactory.instance.objectNode();
  private final ObjectNode annotations = JsonNodeFactory.instance.objectNode();

  private ServiceChange(Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    this.there = there;
    this.deployed = deployed;
    this.wanted = wanted;
  }

  /**
   * The JSON merge patch that is needed; empty when none is.
   *
   * @param deployed what the spec says that the cluster was made from
   * @param wanted what the newest spec says
   */
  static Optional<String> patch(Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    return new ServiceChange(there, deployed, wanted).patch();
  }

  private Optional<String> patch() {
    Map<String, String> hasLabels = orNone(there.getMetadata().getLabels());
    Map<String, String> hasAnnotations = orNone(there.getMetadata().getAnnotations());
    change(labels, hasLabels, LABEL, deployed.labels(), wanted.labels());
    change(annotations, hasAnnotations, ANNOTATION, deployed.annotations(), wanted.annotations());
    String note = note();
    if (!Objects.equals(note, hasAnnotations.get(Annotations.IN_PLACE))) {
      annotations.put(Annotations.IN_PLACE, note);
    }
    if (labels.isEmpty() && annotations.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectMeta seen = there.getMetadata();
    ObjectNode metadata = root.putObject("metadata").put("uid", seen.getUid());
    metadata.set("labels", labels);
    metadata.set("annotations", annotations);
    return Optional.of(root.toString());
  }

  private void change(
      ObjectNode patch,
      Map<String, String> has,
      String kind,
      Map<String, String> old,
      Map<String, String> now) {
    Set<String> gone = new TreeSet<>(old.keySet());
    changedBefore().stream()
        .filter(name -> name.startsWith(kind))
        .map(name -> name.substring(kind.length()))
        .forEach(gone::add);
    gone.removeAll(now.keySet());
    gone.stream().filter(has::containsKey).forEach(patch::putNull);
    now.forEach(
        (name, value) -> {
          if (!value.equals(has.get(name))) {
            patch.put(name, value);
          }
        });
  }

  private Set<String> changedBefore() {
    String note = orNone(there.getMetadata().getAnnotations()).get(Annotations.IN_PLACE);
    return note == null ? Set.of() : Set.copyOf(Arrays.asList(note.split(",", -1)));
  }

  /** What to take away again one day; null while the worker's own apply says the same. */
  private @Nullable String note() {
    if (wanted.equals(deployed)) {
      return null;
    }
    TreeSet<String> names = new TreeSet<>();
    wanted.labels().keySet().forEach(name -> names.add(LABEL + name));
    wanted.annotations().keySet().forEach(name -> names.add(ANNOTATION + name));
    return names.stream().collect(Collectors.joining(","));
  }

  private static Map<String, String> orNone(@Nullable Map<String, String> entries) {
    return Objects.requireNonNullElse(entries, Map.of());
  }
}
