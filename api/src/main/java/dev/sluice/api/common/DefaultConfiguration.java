package dev.sluice.api.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Flink configuration that an operator sets for all resources, for those of a namespace, or for
 * those of a Flink version, as in Apache's operator:
 *
 * <pre>
 * state.checkpoints.num-retained: 3
 * kubernetes.operator.default-configuration.namespace.streams.restart-strategy.type: failure-rate
 * kubernetes.operator.default-configuration.flink-version.v1_20+.web.profiler.enabled: true
 * </pre>
 *
 * <p>What is said for a version wins over what is said for a namespace, and both over what is said
 * for all. Of versions the exact one wins, then the newest with a plus, which means that version
 * and later ones. A resource's own configuration wins over all of them.
 */
public record DefaultConfiguration(List<Entry> entries) {
  /** No default at all. */
  public static final DefaultConfiguration NONE = of(FlinkConfiguration.empty());

  private static final String PREFIX = "kubernetes.operator.default-configuration.";
  private static final String NAMESPACE = PREFIX + "namespace.";
  private static final String VERSION = PREFIX + "flink-version.";

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public DefaultConfiguration {
    entries = List.copyOf(entries);
  }

  /**
   * Reads a file such as Flink's {@code config.yaml}: flat keys, nested ones, or both mixed.
   *
   * @throws IllegalArgumentException with what is wrong, when it is no YAML, or a key has no
   *     namespace, an unknown version, or no Flink key
   */
  public static DefaultConfiguration parse(String yaml) {
    try {
      JsonNode root = YAML.readTree(yaml);
      if (root == null || root.isMissingNode() || root.isNull()) {
        return NONE;
      }
      if (!root.isObject()) {
        throw new IllegalArgumentException("must be keys with values");
      }
      return of(FlinkConfiguration.of(root));
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
      // not its message, which may have a value in it
      throw new IllegalArgumentException("is not YAML" + where, e);
    }
  }

  /**
   * The defaults in this configuration.
   *
   * @throws IllegalArgumentException as {@link #parse}
   */
  public static DefaultConfiguration of(FlinkConfiguration file) {
    List<Entry> entries = new ArrayList<>();
    file.asMap().forEach((key, value) -> entries.add(entry(key, value)));
    entries.sort(Comparator.comparing(Entry::rank));
    return new DefaultConfiguration(entries);
  }

  private static Entry entry(String key, String value) {
    if (!key.startsWith(PREFIX)) {
      return new Entry(key, key, value, null, null, false);
    }
    boolean namespaced = key.startsWith(NAMESPACE);
    if (!namespaced && !key.startsWith(VERSION)) {
      throw new IllegalArgumentException(
          key + ": must go on with namespace.<namespace> or flink-version.<version>");
    }
    String rest = key.substring((namespaced ? NAMESPACE : VERSION).length());
    int dot = rest.indexOf('.');
    if (dot <= 0 || dot == rest.length() - 1) {
      throw new IllegalArgumentException(key + ": must end with a key of Flink's configuration");
    }
    String scope = rest.substring(0, dot);
    String flinkKey = rest.substring(dot + 1);
    return namespaced
        ? new Entry(key, flinkKey, value, scope, null, false)
        : new Entry(key, flinkKey, value, null, version(key, scope), scope.endsWith("+"));
  }

  private static FlinkVersion version(String key, String scope) {
    String wire = scope.endsWith("+") ? scope.substring(0, scope.length() - 1) : scope;
    return FlinkVersion.of(wire)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    key + ": " + scope + " is no Flink version such as v1_20"));
  }

  /**
   * What holds where a resource does not say.
   *
   * @param version its Flink version; null when it does not say
   */
  public FlinkConfiguration forResource(String namespace, @Nullable FlinkVersion version) {
    SortedMap<String, String> values = new TreeMap<>();
    entries.stream()
        .filter(entry -> entry.holds(namespace, version))
        .forEach(entry -> values.put(entry.flinkKey, entry.value));
    return FlinkConfiguration.of(values);
  }

  /** The key, as it stands in the file, that decides a Flink key for such a resource. */
  public Optional<String> origin(
      String flinkKey, String namespace, @Nullable FlinkVersion version) {
    return entries.stream()
        .filter(entry -> entry.flinkKey.equals(flinkKey) && entry.holds(namespace, version))
        .reduce((weaker, stronger) -> stronger)
        .map(Entry::key);
  }

  /** Keys only: values may be secrets. */
  @Override
  public String toString() {
    return "DefaultConfiguration" + entries.stream().map(Entry::key).toList();
  }

  /**
   * A default.
   *
   * @param key as it stands in the file
   * @param namespace for which it holds; null for all
   * @param version for which it holds; null for all
   * @param later whether it holds for later versions, too
   */
  public record Entry(
      String key,
      String flinkKey,
      String value,
      @Nullable String namespace,
      @Nullable FlinkVersion version,
      boolean later) {

    boolean holds(String ofNamespace, @Nullable FlinkVersion ofVersion) {
      if (namespace != null) {
        return namespace.equals(ofNamespace);
      }
      if (version == null) {
        return true;
      }
      return ofVersion != null && (later ? ofVersion.isAtLeast(version) : ofVersion == version);
    }

    /** Of two that hold the higher one wins. */
    int rank() {
      if (version == null) {
        return namespace == null ? 0 : 1;
      }
      int newest = FlinkVersion.values().length;
      return 2 + (later ? version.ordinal() : newest + version.ordinal());
    }
  }
}
