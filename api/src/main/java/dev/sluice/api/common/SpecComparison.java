package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Walks two specs as JSON side by side and notes where they differ. For one comparison only. */
public final class SpecComparison {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_TEXT = 80;
  private static final String JAR = "spec.job.jarURI";
  private static final String POD_TEMPLATE = "podTemplate";
  private static final List<String> PODS = List.of(POD_TEMPLATE, "jobManager", "taskManager");

  /** Sections that are the same when they are empty as when they are absent. */
  private static final Set<String> EMPTY =
      Set.of(
          POD_TEMPLATE,
          "metadata",
          "spec",
          "labels",
          "annotations",
          "nodeSelector",
          "securityContext",
          "resource",
          "resources",
          "limits",
          "requests");

  /** What the change of a field asks for. */
  @FunctionalInterface
  public interface Kinds {
    /**
     * @param path of the field, such as {@code spec.job.args[0]}
     * @param removed it was there before, and is not any more
     */
    DiffKind of(String path, boolean removed);
  }

  private final Kinds kinds;
  private final List<SpecChange> changes = new ArrayList<>();

  private SpecComparison(Kinds kinds) {
    this.kinds = kinds;
  }

  /** Every field that differs, in the order of their names. */
  public static List<SpecChange> changes(JsonNode deployed, JsonNode desired, Kinds kinds) {
    SpecComparison comparison = new SpecComparison(kinds);
    comparison.compare("spec", deployed, desired, false);
    return comparison.changes;
  }

  /**
   * A spec as it is compared: without what changes nothing that is made from it.
   *
   * @param configuration its Flink configuration as flat keys
   */
  public static JsonNode tree(Object spec, FlinkConfiguration configuration) {
    ObjectNode tree = JSON.valueToTree(spec);
    ObjectNode pods = tree.deepCopy().retain(PODS);
    prune(pods);
    tree.remove(PODS).setAll(pods);
    tree.set("flinkConfiguration", configuration.toJson());
    return tree;
  }

  /**
   * Removes empty lists, sections that say nothing when they are empty, and the type of a pod
   * template. Other empty objects stay: an empty {@code labelSelector} selects everything.
   */
  private static void prune(JsonNode node) {
    node.forEach(SpecComparison::prune);
    if (!(node instanceof ObjectNode object)) {
      return;
    }
    if (object.path(POD_TEMPLATE) instanceof ObjectNode template) {
      template.remove(List.of("apiVersion", "kind"));
    }
    object
        .properties()
        .removeIf(
            field ->
                field.getValue().isEmpty()
                    && (field.getValue().isArray()
                        || (field.getValue().isObject() && EMPTY.contains(field.getKey()))));
  }

  private void compare(String path, JsonNode from, JsonNode to, boolean secret) {
    if (from.equals(to)) {
      return;
    }
    if (from.isObject() && to.isObject()) {
      compareFields(path, from, to, secret || SecretNames.isNamedAsSecret(from, to));
    } else if (from.isArray() && to.isArray()) {
      compareItems(path, from, to, secret);
    } else {
      boolean removed = to.isMissingNode() || to.isNull();
      changes.add(
          new SpecChange(
              path, kinds.of(path, removed), text(path, from, secret), text(path, to, secret)));
    }
  }

  private void compareFields(String path, JsonNode from, JsonNode to, boolean secret) {
    TreeSet<String> names = new TreeSet<>();
    from.fieldNames().forEachRemaining(names::add);
    to.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      compare(
          path + "." + name, from.path(name), to.path(name), secret || SecretNames.isSecret(name));
    }
  }

  private void compareItems(String path, JsonNode from, JsonNode to, boolean secret) {
    for (int i = 0; i < Math.max(from.size(), to.size()); i++) {
      boolean announced = i > 0 && (isSecretFlag(from.path(i - 1)) || isSecretFlag(to.path(i - 1)));
      compare(path + "[" + i + "]", item(from, i), item(to, i), secret || announced);
    }
  }

  private static JsonNode item(JsonNode items, int index) {
    return index < items.size() ? items.get(index) : MissingNode.getInstance();
  }

  /** {@code --db-password} before its value in a list of arguments. */
  private static boolean isSecretFlag(JsonNode item) {
    return item.isTextual() && SecretNames.isSecret(item.asText());
  }

  private static @Nullable String text(String path, JsonNode value, boolean secret) {
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (value.isContainerNode()) {
      return value.isObject() ? "{...}" : "[...]";
    }
    String text = path.equals(JAR) ? RedactedUri.of(value.asText()) : value.asText();
    if (secret || SecretNames.isAssigned(text)) {
      return SecretNames.MASK;
    }
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
  }
}
