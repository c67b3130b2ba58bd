package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.common.FlinkVersion;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to run from a jar, and how.
 *
 * @param version of the cluster; decides the spelling of some fields
 * @param jobId under which id, 32 hexadecimal digits; it makes that nothing runs twice
 * @param entryClass class with the main method; null for the one that the manifest names
 * @param arguments of the main method
 * @param parallelism of the job; null for the cluster's default
 * @param savepointPath savepoint or checkpoint to begin with; null starts without state
 * @param allowNonRestoredState whether state may be left out that the job has no operator for
 * @param claimMode {@code CLAIM}, {@code NO_CLAIM} or {@code LEGACY}; null for Flink's default
 * @param configuration Flink configuration of the job alone, which Flink before 1.17 ignores
 */
public record JarRun(
    FlinkVersion version,
    String jobId,
    @Nullable String entryClass,
    List<String> arguments,
    @Nullable Integer parallelism,
    @Nullable String savepointPath,
    boolean allowNonRestoredState,
    @Nullable String claimMode,
    Map<String, String> configuration) {

  public JarRun {
    arguments = List.copyOf(arguments);
    configuration = Map.copyOf(configuration);
  }

  /**
   * Whether Flink of that version takes configuration with a run. An older one ignores it without a
   * word.
   */
  public static boolean takesConfiguration(FlinkVersion version) {
    return version.compareTo(FlinkVersion.V1_17) >= 0;
  }

  ObjectNode json() {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("jobId", jobId);
    if (entryClass != null) {
      body.put("entryClass", entryClass);
    }
    if (!arguments.isEmpty()) {
      arguments.forEach(body.putArray("programArgsList")::add);
    }
    if (parallelism != null) {
      body.put("parallelism", parallelism);
    }
    if (savepointPath != null) {
      body.put("savepointPath", savepointPath).put("allowNonRestoredState", allowNonRestoredState);
      if (claimMode != null) {
        boolean renamed = version.compareTo(FlinkVersion.V1_20) >= 0;
        body.put(renamed ? "claimMode" : "restoreMode", claimMode);
      }
    }
    if (takesConfiguration(version) && !configuration.isEmpty()) {
      configuration.forEach(body.putObject("flinkConfiguration")::put);
    }
    return body;
  }
}
