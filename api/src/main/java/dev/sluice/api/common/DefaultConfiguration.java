package dev.sluice.api.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 *
 * @param entries the weakest first
 * @param restTls whether the operator has certificates to call clusters whose REST API takes TLS
 *     alone; without them such a spec is refused
 */
public record DefaultConfiguration(List<Entry> entries, boolean restTls) {
  /** No default at all. */
  public static final DefaultConfiguration NONE = new DefaultConfiguration(List.of(), false);

  private static final String PREFIX = "kubernetes.operator.default-configuration.";
  private static final Pattern SCOPED =
      Pattern.compile("(?:namespace\\.([^.]+)|flink-version\\.([^.+]+)(\\+?))\\.(.+)");

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /**
   * Reads a file such as Flink's {@code config.yaml}: flat keys, nested ones, or both mixed.
   *
   * @throws IllegalArgumentException with what is wrong, when it is no YAML, or a key has no
   *     namespace, an unknown version, or no Flink key
   */
  public static DefaultConfiguration parse(String yaml) {
    try {
      JsonNode root = YAML.readTree(yaml);
      if (!root.isMissingNode() && !root.isNull() && !root.isObject()) {
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
    return new DefaultConfiguration(
        file.asMap().entrySet().stream()
            .map(it -> entry(it.getKey(), it.getValue()))
            .sorted(Comparator.comparing(Entry::rank))
            .toList(),
        false);
  }

  /** The same of an operator that has such certificates, or has none. */
  public DefaultConfiguration withRestTls(boolean has) {
    return new DefaultConfiguration(entries, has);
  }

  private static Entry entry(String key, String value) {
    if (!key.startsWith(PREFIX)) {
      return new Entry(key, key, value, null, null, false);
    }
    Matcher scoped = SCOPED.matcher(key.substring(PREFIX.length()));
    if (!scoped.matches()) {
      throw new IllegalArgumentException(
          key
              + ": must go on with namespace.<namespace> or flink-version.<version>, and end with a"
              + " key of Flink's configuration");
    }
    String version = scoped.group(2);
    return new Entry(
        key,
        scoped.group(4),
        value,
        scoped.group(1),
        version == null ? null : version(key, version),
        "+".equals(scoped.group(3)));
  }

  private static FlinkVersion version(String key, String wire) {
    return FlinkVersion.of(wire)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    key + ": " + wire + " is no Flink version such as v1_20"));
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

    private boolean holds(String ofNamespace, @Nullable FlinkVersion ofVersion) {
      return (namespace == null || namespace.equals(ofNamespace))
          && (version == null
              || version == ofVersion
              || (later && ofVersion != null && ofVersion.isAtLeast(version)));
    }

    /** Of two that hold the higher one wins. */
    private int rank() {
      if (version == null) {
        return namespace == null ? 0 : 1;
      }
      return 2 + version.ordinal() + (later ? 0 : FlinkVersion.values().length);
    }
  }
}
