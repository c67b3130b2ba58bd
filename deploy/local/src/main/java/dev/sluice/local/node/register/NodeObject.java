package dev.sluice.local.node.register;

import dev.sluice.local.node.status.Times;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * This machine as a Node. It has an InternalIP and no Hostname: the API server would resolve a
 * hostname first when it asks for logs.
 *
 * @param name the node's name
 * @param kubeletPort where the API server asks for logs
 * @param capacity what the machine has
 */
public record NodeObject(String name, int kubeletPort, Map<String, Quantity> capacity) {

  /** The object without status. */
  public Node node() {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("kubernetes.io/hostname", name)
        .addToLabels("kubernetes.io/os", "linux")
        .addToLabels("kubernetes.io/arch", architecture())
        .endMetadata()
        .withNewSpec()
        .withProviderID("sluice-local://" + name)
        .endSpec()
        .build();
  }

  /** Its status: ready, and under no pressure. */
  public NodeStatus status(Instant now) {
    return new NodeStatusBuilder()
        .addNewAddress("127.0.0.1", "InternalIP")
        .withNewDaemonEndpoints()
        .withNewKubeletEndpoint(kubeletPort)
        .endDaemonEndpoints()
        .withCapacity(capacity)
        .withAllocatable(capacity)
        .withConditions(
            List.of(
                condition("MemoryPressure", false, "KubeletHasSufficientMemory", now),
                condition("DiskPressure", false, "KubeletHasNoDiskPressure", now),
                condition("PIDPressure", false, "KubeletHasSufficientPID", now),
                condition("Ready", true, "KubeletReady", now)))
        .withNewNodeInfo()
        .withArchitecture(architecture())
        .withOperatingSystem("linux")
        .withOsImage("this machine")
        .withKernelVersion(System.getProperty("os.version"))
        .withContainerRuntimeVersion("process://1")
        .withKubeletVersion("v1.34.2-sluice-local")
        .withKubeProxyVersion("")
        .withBootID("")
        .withMachineID("")
        .withSystemUUID("")
        .endNodeInfo()
        .build();
  }

  /** Whether the control plane holds it for ready. */
  public static boolean isReady(Node node) {
    return node.getStatus() != null
        && node.getStatus().getConditions() != null
        && node.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  private static NodeCondition condition(String type, boolean holds, String reason, Instant now) {
    return new NodeConditionBuilder()
        .withType(type)
        .withStatus(holds ? "True" : "False")
        .withReason(reason)
        .withMessage("the local node runs processes of this machine")
        .withLastHeartbeatTime(Times.text(now))
        .withLastTransitionTime(Times.text(now))
        .build();
  }

  private static String architecture() {
    String arch = System.getProperty("os.arch");
    return arch.equals("aarch64") ? "arm64" : arch;
  }
}
