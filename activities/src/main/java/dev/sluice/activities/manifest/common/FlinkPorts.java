package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;

/**
 * Ports of a cluster on Kubernetes. Services need fixed ones, so where Flink's default is "any"
 * this is the port Flink's own Kubernetes client fixes ({@code
 * org.apache.flink.kubernetes.utils.Constants}).
 *
 * @param rest port of the REST service
 * @param restBind port the REST server listens on in the pod
 * @param rpc port of the JobManager's RPC
 * @param blob port of the blob server
 * @param taskManagerRpc port of the TaskManagers' RPC
 */
public record FlinkPorts(int rest, int restBind, int rpc, int blob, int taskManagerRpc) {
  public static final String REST = "rest.port";
  public static final String REST_BIND = "rest.bind-port";
  public static final String RPC = "jobmanager.rpc.port";
  public static final String BLOB = "blob.server.port";
  public static final String TASK_MANAGER_RPC = "taskmanager.rpc.port";

  private static final int USUAL_REST = 8081;
  private static final int HIGHEST = 65_535;

  /**
   * @throws IllegalArgumentException naming the key, when a port is not one number: Flink can do
   *     with a range elsewhere, a Service cannot
   */
  public static FlinkPorts of(FlinkConfiguration configuration) {
    int rest = fixed(configuration, REST, USUAL_REST);
    return new FlinkPorts(
        rest,
        fixed(configuration, REST_BIND, rest),
        fixed(configuration, RPC, 6123),
        fixed(configuration, BLOB, 6124),
        fixed(configuration, TASK_MANAGER_RPC, 6122));
  }

  /**
   * The port of the REST service of a cluster that is there: the usual one where the configuration
   * holds no port, because no cluster can have been made with that.
   */
  public static int rest(FlinkConfiguration configuration) {
    try {
      int port = fixed(configuration, REST, USUAL_REST);
      return port > 0 && port <= HIGHEST ? port : USUAL_REST;
    } catch (IllegalArgumentException notOnePort) {
      return USUAL_REST;
    }
  }

  private static int fixed(FlinkConfiguration configuration, String key, int whenAny) {
    try {
      int port = configuration.get(key).map(text -> Integer.parseInt(text.trim())).orElse(0);
      return port == 0 ? whenAny : port;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          FlinkConfiguration.problem(
              key,
              "must be one port on Kubernetes, but is '"
                  + configuration.getOrDefault(key, "")
                  + "'"),
          e);
    }
  }
}
