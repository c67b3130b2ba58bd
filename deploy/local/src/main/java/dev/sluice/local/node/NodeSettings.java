package dev.sluice.local.node;

import dev.sluice.local.node.pod.StateFolder;
import dev.sluice.local.node.service.Addresses;
import dev.sluice.local.node.service.PodNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the node is to run.
 *
 * @param images the file of images that are programs
 * @param longestDelay before a container that ends again and again is started again
 * @param inherited what processes of pods find of the node's own environment
 */
public record NodeSettings(
    Path kubeconfig,
    StateFolder state,
    String name,
    int kubeletPort,
    Addresses addresses,
    Path images,
    Duration longestDelay,
    Map<String, String> inherited) {

  /** Every process of a cluster carries it, with the cluster's home as its value. */
  public static final String CLUSTER_MARK = "SLUICE_CLUSTER";

  /** Every part carries it, with its name as its value; what the node starts does not. */
  public static final String PART_MARK = "SLUICE_PART";

  /** What a process needs of this machine; nothing that lets it act as the node. */
  private static final String[] INHERITED = {
    "PATH", "JAVA_HOME", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME", "MALLOC_ARENA_MAX", CLUSTER_MARK
  };

  /**
   * From the environment: KUBECONFIG, SLUICE_NODE_HOME and SLUICE_IMAGES are needed;
   * SLUICE_NODE_NAME (laptop), SLUICE_NODE_PORT (10250), SLUICE_POD_NETWORK (127.0.1) and
   * SLUICE_BACKOFF_MAX_MS (the kubelet's 5 min) have defaults.
   *
   * @throws IllegalArgumentException with the key, the value and what is allowed
   */
  public static NodeSettings of(Map<String, String> env) {
    Map<String, String> inherited = new LinkedHashMap<>();
    for (String name : INHERITED) {
      String value = env.get(name);
      if (value != null) {
        inherited.put(name, value);
      }
    }
    return new NodeSettings(
        Path.of(needed(env, "KUBECONFIG")),
        new StateFolder(Path.of(needed(env, "SLUICE_NODE_HOME")).toAbsolutePath().normalize()),
        env.getOrDefault("SLUICE_NODE_NAME", "laptop"),
        number(env, "SLUICE_NODE_PORT", 10250, 65535),
        new Addresses(PodNetwork.of(env.getOrDefault("SLUICE_POD_NETWORK", "127.0.1"))),
        Path.of(needed(env, "SLUICE_IMAGES")),
        Duration.ofMillis(number(env, "SLUICE_BACKOFF_MAX_MS", 300_000, 300_000)),
        Map.copyOf(inherited));
  }

  private static String needed(Map<String, String> env, String key) {
    String value = env.getOrDefault(key, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException(key + " is not set, and the node needs it");
    }
    return value;
  }

  private static int number(Map<String, String> env, String key, int usual, int max) {
    String value = env.getOrDefault(key, Integer.toString(usual));
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) > max) {
      throw new IllegalArgumentException(
          "%s is \"%s\" but must be a number from 0 to %d".formatted(key, value, max));
    }
    return Integer.parseInt(value);
  }
}
