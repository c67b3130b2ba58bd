package dev.sluice.api.common;

import dev.sluice.api.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Labels and annotations of a Service of a cluster, as the Flink configuration says. They reach
 * neither pods nor job, so that they can be changed while the job goes on.
 */
public record ServiceMetadata(Map<String, String> labels, Map<String, String> annotations) {
  /** The Service in front of the REST port. */
  public static final String REST = "kubernetes.rest-service";

  /** The Service at which TaskManagers find the JobManager. */
  public static final String INTERNAL = "kubernetes.internal-service";

  /** By these the cluster is found: their values are Sluice's, whatever the configuration says. */
  public static final Set<String> RESERVED = Set.of(Labels.APP, Labels.TYPE, Labels.MANAGED_BY);

  /** Copies the maps, without {@link #RESERVED}. */
  public ServiceMetadata {
    Map<String, String> theirs = new HashMap<>(labels);
    theirs.keySet().removeAll(RESERVED);
    labels = Map.copyOf(theirs);
    annotations = Map.copyOf(annotations);
  }

  /**
   * Those of one Service.
   *
   * @param service {@link #REST} or {@link #INTERNAL}
   * @throws IllegalArgumentException naming the key, when it cannot be read
   */
  public static ServiceMetadata of(FlinkConfiguration configuration, String service) {
    return new ServiceMetadata(
        configuration.map(service + ".labels"), configuration.map(service + ".annotations"));
  }

  /** Whether a key of the Flink configuration says nothing but these. */
  public static boolean isDecidedBy(String key) {
    return Stream.of(REST, INTERNAL)
        .flatMap(service -> Stream.of(service + ".labels", service + ".annotations"))
        .anyMatch(option -> key.equals(option) || key.startsWith(option + "."));
  }
}
