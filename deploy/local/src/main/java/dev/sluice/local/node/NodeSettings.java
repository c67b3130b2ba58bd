package dev.sluice.local.node;

import dev.sluice.local.node.pod.BackOff;
import dev.sluice.local.node.service.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the node is to run.
 *
 * @param kubeconfig how to reach the API server
 * @param state the node's folder
 * @param name the name of the Node object
 * @param kubeletPort on 127.0.0.1
 * @param network the loopback addresses of pods and Services
 * @param images the file of process images
 * @param backOff how restarts are slowed down
 * @param inherited what processes of pods find of the node's own environment
 */
public record NodeSettings(
    Path kubeconfig,
    StateFolder state,
    String name,
    int kubeletPort,
    Network network,
    Path images,
    BackOff backOff,
    Map<String, String> inherited) {

  /** What a process needs of this machine; nothing that lets it act as the node. */
  private static final String[] INHERITED = {
    "PATH", "JAVA_HOME", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME", "SLUICE_CLUSTER"
  };

  /**
   * From the environment: KUBECONFIG, SLUICE_NODE_HOME and SLUICE_IMAGES are needed;
   * SLUICE_NODE_NAME (laptop), SLUICE_NODE_PORT (10250), SLUICE_POD_NETWORK (127.0.1) and
   * SLUICE_BACKOFF_INITIAL_MS, SLUICE_BACKOFF_MAX_MS, SLUICE_BACKOFF_RESET_MS (the kubelet's) have
   * defaults.
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
    BackOff usual = BackOff.KUBELET;
    return new NodeSettings(
        Path.of(needed(env, "KUBECONFIG")),
        new StateFolder(Path.of(needed(env, "SLUICE_NODE_HOME")).toAbsolutePath().normalize()),
        env.getOrDefault("SLUICE_NODE_NAME", "laptop"),
        (int) number(env, "SLUICE_NODE_PORT", 10250, 65535),
        Network.of(env.getOrDefault("SLUICE_POD_NETWORK", "127.0.1")),
        Path.of(needed(env, "SLUICE_IMAGES")),
        new BackOff(
            millis(env, "SLUICE_BACKOFF_INITIAL_MS", usual.initial()),
            millis(env, "SLUICE_BACKOFF_MAX_MS", usual.max()),
            millis(env, "SLUICE_BACKOFF_RESET_MS", usual.reset())),
        Map.copyOf(inherited));
  }

  private static String needed(Map<String, String> env, String key) {
    String value = env.get(key);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(key + " is not set, and the node needs it");
    }
    return value;
  }

  private static Duration millis(Map<String, String> env, String key, Duration usual) {
    return Duration.ofMillis(number(env, key, usual.toMillis(), Duration.ofDays(1).toMillis()));
  }

  private static long number(Map<String, String> env, String key, long usual, long max) {
    String value = env.get(key);
    Long number = value == null ? Long.valueOf(usual) : parsed(value);
    if (number == null || number < 0 || number > max) {
      throw new IllegalArgumentException(
          "%s is \"%s\" but must be a number from 0 to %d".formatted(key, value, max));
    }
    return number;
  }

  private static @Nullable Long parsed(String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
