package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pod templates: their shape and the names in them. Only what is given is checked; two templates
 * are merged, so that each may be incomplete.
 */
final class PodTemplateRules implements Rule {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  @Override
  public void check(Subject subject, Report report) {
    check("spec.podTemplate", subject.spec().podTemplate(), report);
    check("spec.jobManager.podTemplate", subject.spec().jobManager().podTemplate(), report);
    check("spec.taskManager.podTemplate", subject.spec().taskManager().podTemplate(), report);
  }

  private static void check(String path, @Nullable JsonNode template, Report report) {
    if (template == null) {
      return;
    }
    try {
      SERIALIZATION.convertValue(template, Pod.class);
    } catch (IllegalArgumentException e) {
      // the place only: the value may be a secret
      report.add(path + where(e), "must have the type that it has in a Kubernetes Pod");
      return;
    }
    JsonNode metadata = template.path("metadata");
    metadata
        .path("labels")
        .properties()
        .forEach(
            label ->
                NameRules.labelEntry(
                    path + ".metadata.labels", label.getKey(), label.getValue().asText(), report));
    metadata
        .path("annotations")
        .fieldNames()
        .forEachRemaining(key -> NameRules.key(path + ".metadata.annotations", key, report));
    checkSpec(path + ".spec", template.path("spec"), report);
  }

  private static void checkSpec(String path, JsonNode spec, Report report) {
    text(path, spec, "serviceAccountName")
        .ifGiven((at, name) -> NameRules.serviceAccount(at, name, report));
    each(
        path + ".imagePullSecrets",
        spec.path("imagePullSecrets"),
        (at, secret) ->
            text(at, secret, "name")
                .ifGiven((field, name) -> NameRules.secret(field, name, report)));
    each(
        path + ".volumes",
        spec.path("volumes"),
        (at, volume) ->
            text(at, volume, "name")
                .ifGiven((field, name) -> NameRules.label(field, name, "volume", report)));
    for (String containers : new String[] {"initContainers", "containers"}) {
      each(
          path + "." + containers,
          spec.path(containers),
          (at, container) -> checkContainer(at, container, report));
    }
  }

  private static void checkContainer(String path, JsonNode container, Report report) {
    text(path, container, "name")
        .ifGiven((at, name) -> NameRules.label(at, name, "container", report));
    text(path, container, "image").ifGiven((at, image) -> ImageRules.checkImage(at, image, report));
    each(
        path + ".env",
        container.path("env"),
        (at, variable) ->
            text(at, variable, "name")
                .ifGiven((field, name) -> NameRules.environmentVariable(field, name, report)));
    each(
        path + ".volumeMounts",
        container.path("volumeMounts"),
        (at, mount) ->
            text(at, mount, "name")
                .ifGiven((field, name) -> NameRules.label(field, name, "volume", report)));
  }

  private static void each(String path, JsonNode items, BiConsumer<String, JsonNode> check) {
    for (int i = 0; i < items.size(); i++) {
      check.accept(path + "[" + i + "]", items.path(i));
    }
  }

  private static Text text(String path, JsonNode object, String field) {
    JsonNode value = object.path(field);
    return new Text(path + "." + field, value.isTextual() ? value.asText() : null);
  }

  private static String where(IllegalArgumentException e) {
    return e.getCause() instanceof JsonMappingException unfit
        ? unfit.getPath().stream()
            .map(
                step ->
                    step.getFieldName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + step.getFieldName())
            .collect(Collectors.joining())
        : "";
  }

  /** A field of text, if it is given. */
  private record Text(String path, @Nullable String value) {
    void ifGiven(BiConsumer<String, String> check) {
      if (value != null) {
        check.accept(path, value);
      }
    }
  }
}
