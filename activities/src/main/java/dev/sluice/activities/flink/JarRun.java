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
 * @param program what runs
 * @param restore from which state; null starts without state
 * @param configuration Flink configuration of the job alone, which Flink before 1.17 ignores
 */
public record JarRun(
    FlinkVersion version,
    String jobId,
    Program program,
    @Nullable Restore restore,
    Map<String, String> configuration) {

  /** The first version that takes configuration with a run. */
  private static final FlinkVersion TAKES_CONFIGURATION = FlinkVersion.V1_17;

  /** The first version that calls the mode of restoring "claim mode". */
  private static final FlinkVersion CLAIM_MODE = FlinkVersion.V1_20;

  /**
   * The program in the jar.
   *
   * @param entryClass class with the main method; null for the one that the manifest names
   * @param arguments of the main method
   * @param parallelism of the job; null for the cluster's default
   */
  public record Program(
      @Nullable String entryClass, List<String> arguments, @Nullable Integer parallelism) {}

  /**
   * The state to begin with.
   *
   * @param path of the savepoint or checkpoint
   * @param allowNonRestoredState whether state may be left out that the job has no operator for
   * @param claimMode {@code CLAIM}, {@code NO_CLAIM} or {@code LEGACY}; null for Flink's default
   */
  public record Restore(String path, boolean allowNonRestoredState, @Nullable String claimMode) {}

  public JarRun {
    configuration = Map.copyOf(configuration);
  }

  /**
   * Whether Flink of that version takes configuration with a run. An older one ignores it without a
   * word.
   */
  public static boolean takesConfiguration(FlinkVersion version) {
    return version.compareTo(TAKES_CONFIGURATION) >= 0;
  }

  ObjectNode json() {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("jobId", jobId);
    if (program.entryClass != null) {
      body.put("entryClass", program.entryClass);
    }
    if (!program.arguments.isEmpty()) {
      program.arguments.forEach(body.putArray("programArgsList")::add);
    }
    if (program.parallelism != null) {
      body.put("parallelism", program.parallelism);
    }
    if (restore != null) {
      body.put("savepointPath", restore.path)
          .put("allowNonRestoredState", restore.allowNonRestoredState);
      if (restore.claimMode != null) {
        boolean renamed = version.compareTo(CLAIM_MODE) >= 0;
        body.put(renamed ? "claimMode" : "restoreMode", restore.claimMode);
      }
    }
    if (takesConfiguration(version) && !configuration.isEmpty()) {
      configuration.forEach(body.putObject("flinkConfiguration")::put);
    }
    return body;
  }
}
