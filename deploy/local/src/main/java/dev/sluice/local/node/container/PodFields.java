package dev.sluice.local.node.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which fields of a pod the local node honours, and which it ignores on purpose. A container that
 * has any other is not started: it would do something else than it was asked to.
 *
 * @param honoured what is done as a kubelet does it
 * @param ignored what a process of this machine needs not, or cannot have
 */
record PodFields(Set<String> honoured, Set<String> ignored) {
  private static final PodFields POD =
      of(
          "containers initContainers restartPolicy terminationGracePeriodSeconds volumes nodeName"
              + " serviceAccount serviceAccountName schedulingGates",
          "securityContext resources overhead automountServiceAccountToken enableServiceLinks"
              // scheduling
              + " affinity nodeSelector preemptionPolicy priority priorityClassName schedulerName"
              + " tolerations topologySpreadConstraints runtimeClassName os"
              // namespaces of the kernel, names of the pod, images
              + " hostIPC hostNetwork hostPID hostUsers shareProcessNamespace hostname subdomain"
              + " setHostnameAsFQDN dnsConfig dnsPolicy imagePullSecrets");
  private static final PodFields CONTAINER =
      of(
          "name image command args env envFrom ports volumeMounts livenessProbe readinessProbe"
              + " startupProbe",
          "securityContext resources resizePolicy imagePullPolicy stdin stdinOnce tty"
              + " terminationMessagePath terminationMessagePolicy");
  private static final PodFields MOUNT =
      of("name mountPath subPath", "readOnly recursiveReadOnly mountPropagation");
  private static final PodFields PROBE =
      of(
          "httpGet tcpSocket initialDelaySeconds periodSeconds timeoutSeconds successThreshold"
              + " failureThreshold terminationGracePeriodSeconds",
          "");
  private static final PodFields HTTP_GET = of("path port scheme", "");
  private static final PodFields TCP_SOCKET = of("port", "");

  private static PodFields of(String honoured, String ignored) {
    return new PodFields(Set.of(honoured.split(" ")), Set.of(ignored.split(" ")));
  }

  /** The fields of a container, and of its pod, for which it cannot be started. */
  static List<String> refused(PodSpec pod, Container container) {
    List<String> refused = new ArrayList<>();
    POD.collect(json(pod), "", refused);
    JsonNode json = json(container);
    CONTAINER.collect(json, "", refused);
    json.path("volumeMounts").forEach(mount -> MOUNT.collect(mount, "volumeMounts.", refused));
    for (String name : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      JsonNode probe = json.path(name);
      PROBE.collect(probe, name + ".", refused);
      HTTP_GET.collect(probe.path("httpGet"), name + ".httpGet.", refused);
      if (probe.path("httpGet").path("scheme").asText().equals("HTTPS")) {
        refused.add(name + ".httpGet.scheme HTTPS");
      }
      TCP_SOCKET.collect(probe.path("tcpSocket"), name + ".tcpSocket.", refused);
    }
    return refused;
  }

  private static JsonNode json(Object object) {
    return Serialization.jsonMapper().valueToTree(object);
  }

  private void collect(JsonNode object, String path, List<String> refused) {
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!honoured.contains(name) && !ignored.contains(name)) {
                refused.add(path + name);
              }
            });
  }
}
