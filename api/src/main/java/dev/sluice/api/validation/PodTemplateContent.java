package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.KubernetesQuantity;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Names and quantities in a pod template, which is known to have the shape of a Pod. Only what is
 * given is checked: templates are merged, so that each may be incomplete.
 */
final class PodTemplateContent {
  private final Report report;

  PodTemplateContent(Report report) {
    this.report = report;
  }

  void check(String path, JsonNode template) {
    JsonNode metadata = template.path("metadata");
    String labels = path + ".metadata.labels";
    String annotations = path + ".metadata.annotations";
    metadata
        .path("labels")
        .properties()
        .forEach(
            label ->
                NameRules.labelEntry(labels, label.getKey(), label.getValue().asText(), report));
    metadata
        .path("annotations")
        .fieldNames()
        .forEachRemaining(key -> NameRules.key(annotations, key, report));
    checkSpec(path + ".spec", template.path("spec"));
  }

  private void checkSpec(String path, JsonNode spec) {
    text(
        path, spec, "serviceAccountName", (at, name) -> NameRules.serviceAccount(at, name, report));
    each(
        path,
        spec,
        "imagePullSecrets",
        (at, secret) ->
            text(at, secret, "name", (field, name) -> NameRules.secret(field, name, report)));
    each(path, spec, "volumes", this::checkVolume);
    each(path, spec, "initContainers", this::checkContainer);
    each(path, spec, "containers", this::checkContainer);
  }

  private void checkVolume(String path, JsonNode volume) {
    checkVolumeName(path, volume);
    quantity(path + ".emptyDir", volume.path("emptyDir"), "sizeLimit");
  }

  private void checkVolumeName(String path, JsonNode volume) {
    text(path, volume, "name", (at, name) -> NameRules.label(at, name, "volume", report));
  }

  private void checkContainer(String path, JsonNode container) {
    text(path, container, "name", (at, name) -> NameRules.label(at, name, "container", report));
    text(path, container, "image", (at, image) -> ImageRules.checkImage(at, image, report));
    each(
        path,
        container,
        "env",
        (at, variable) ->
            text(
                at,
                variable,
                "name",
                (field, name) -> NameRules.environmentVariable(field, name, report)));
    each(path, container, "volumeMounts", this::checkVolumeName);
    for (String kind : List.of("requests", "limits")) {
      JsonNode amounts = container.path("resources").path(kind);
      amounts
          .fieldNames()
          .forEachRemaining(name -> quantity(path + ".resources." + kind, amounts, name));
    }
  }

  private void quantity(String path, JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (!value.isValueNode()) {
      return;
    }
    try {
      KubernetesQuantity.parse(value.asText());
    } catch (IllegalArgumentException e) {
      report.add(
          path + "." + field, e.getMessage() + ", but is " + Printable.quoted(value.asText()));
    }
  }

  private static void each(
      String path, JsonNode object, String field, BiConsumer<String, JsonNode> check) {
    JsonNode items = object.path(field);
    for (int i = 0; i < items.size(); i++) {
      check.accept(path + "." + field + "[" + i + "]", items.path(i));
    }
  }

  private static void text(
      String path, JsonNode object, String field, BiConsumer<String, String> check) {
    JsonNode value = object.path(field);
    if (value.isTextual()) {
      check.accept(path + "." + field, value.asText());
    }
  }
}
