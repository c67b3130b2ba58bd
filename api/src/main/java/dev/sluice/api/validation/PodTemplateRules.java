package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.Json;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pod templates must have the shape of a Pod, and names that Kubernetes accepts. */
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
    String empty = emptyItem(path, template);
    if (empty != null) {
      report.add(empty, "must not be empty. Remove the item");
      return;
    }
    Pod pod;
    try {
      pod = SERIALIZATION.convertValue(template, Pod.class);
    } catch (IllegalArgumentException e) {
      // the place only: the value may be a secret
      report.add(path + Json.place(e), "must have the type that it has in a Kubernetes Pod");
      return;
    }
    int before = report.violations().size();
    new PodTemplateContent(report).check(path, template);
    if (report.violations().size() == before && !isReadable(pod)) {
      report.add(path, "must have quantities like '500m' or '2Gi' where a Pod has quantities");
    }
  }

  /** Quantities are kept as text until somebody copies or compares them. */
  private static boolean isReadable(Pod pod) {
    try {
      Pod copy = SERIALIZATION.clone(new PodBuilder(pod).build());
      return copy.equals(pod) || !copy.toString().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The path of an array's item that is null; null when there is none. */
  private static @Nullable String emptyItem(String path, JsonNode node) {
    if (node.isNull()) {
      return path;
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String empty = emptyItem(path + "." + field.getKey(), field.getValue());
      if (empty != null) {
        return empty;
      }
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      String empty = emptyItem(path + "[" + i + "]", node.path(i));
      if (empty != null) {
        return empty;
      }
    }
    return null;
  }
}
