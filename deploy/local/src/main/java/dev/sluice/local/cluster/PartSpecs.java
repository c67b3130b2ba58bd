package dev.sluice.local.cluster;

import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.parts.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How each part of a cluster is started: the command lines, and nothing but them. */
final class PartSpecs {
  private static final String LOOPBACK = "127.0.0.1";

  private final ClusterConfig config;
  private final Credentials credentials;
  private final Path data;

  PartSpecs(ClusterConfig config) {
    this.config = config;
    this.credentials = new Credentials(config);
    this.data = config.home().resolve("data");
  }

  /**
   * All parts, in the order in which they start.
   *
   * @param local this module as Maven built it: the node runs from it
   */
  List<Part.Spec> all(Application local) {
    return List.of(etcd(), temporal(), apiServer(), controllerManager(), node(local));
  }

  private Part.Spec etcd() {
    Ports ports = config.ports();
    String client = "http://" + LOOPBACK + ":" + ports.etcdClient();
    String peer = "http://" + LOOPBACK + ":" + ports.etcdPeer();
    return spec(
        PartName.ETCD,
        List.of(
            binary(Tool.ETCD),
            "--data-dir=" + data.resolve("etcd"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=default=" + peer,
            "--heartbeat-interval=20",
            "--election-timeout=200", // ms: alone, it is elected once it has waited that long
            "--auto-compaction-retention=1",
            "--log-level=warn",
            // a laptop cluster survives a killed process, not a power cut
            "--unsafe-no-fsync"),
        Map.of("GOGC", "50"),
        List.of(ports.etcdClient(), ports.etcdPeer()),
        client + "/health");
  }

  private Part.Spec temporal() {
    Ports ports = config.ports();
    List<String> command =
        new ArrayList<>(
            List.of(
                binary(Tool.TEMPORAL),
                "server",
                "start-dev",
                "--ip=" + LOOPBACK,
                "--port=" + ports.temporal(),
                "--ui-port=" + ports.temporalUi(),
                "--http-port=" + ports.temporalHttp(),
                "--metrics-port=" + ports.temporalMetrics(),
                "--db-filename=" + data.resolve("temporal.db"),
                "--log-level=warn"));
    for (String attribute : List.of("FlinkNamespace", "FlinkName", "FlinkOperation", "FlinkStep")) {
      command.add("--search-attribute=" + attribute + "=Keyword");
    }
    return spec(
        PartName.TEMPORAL,
        command,
        Map.of("GOGC", "50"),
        List.of(
            ports.temporal(), ports.temporalUi(), ports.temporalHttp(), ports.temporalMetrics()),
        "http://" + LOOPBACK + ":" + ports.temporalHttp() + "/api/v1/namespaces/default");
  }

  private Part.Spec apiServer() {
    Ports ports = config.ports();
    String url = "https://" + LOOPBACK + ":" + ports.apiServer();
    return spec(
        PartName.KUBE_APISERVER,
        List.of(
            binary(Tool.KUBE_APISERVER),
            "--etcd-servers=http://" + LOOPBACK + ":" + ports.etcdClient(),
            "--bind-address=" + LOOPBACK,
            "--advertise-address=" + LOOPBACK,
            "--secure-port=" + ports.apiServer(),
            "--cert-dir=" + credentials.certificates(),
            "--token-auth-file=" + credentials.tokens(),
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--service-account-issuer=" + url,
            "--service-account-key-file=" + credentials.checkingKey(),
            "--service-account-signing-key-file=" + credentials.signingKey(),
            "--audit-policy-file=" + config.auditPolicy(),
            "--audit-log-path=" + config.auditLog(),
            "--audit-log-maxsize=20",
            "--audit-log-maxbackup=1",
            "--endpoint-reconciler-type=none",
            "--enable-priority-and-fairness=false",
            "--profiling=false"),
        Map.of("GOGC", "30"),
        List.of(ports.apiServer()),
        url + "/readyz");
  }

  private Part.Spec controllerManager() {
    Ports ports = config.ports();
    String kubeconfig = credentials.kubeconfig(PartName.KUBE_CONTROLLER_MANAGER).toString();
    return spec(
        PartName.KUBE_CONTROLLER_MANAGER,
        List.of(
            binary(Tool.KUBE_CONTROLLER_MANAGER),
            "--kubeconfig=" + kubeconfig,
            "--bind-address=" + LOOPBACK,
            "--secure-port=" + ports.controllerManager(),
            "--service-account-private-key-file=" + credentials.signingKey(),
            "--use-service-account-credentials=true",
            "--root-ca-file=" + credentials.certificate(),
            "--leader-elect=false",
            // endpoints of loopback pods are refused for ever: the node resolves Services itself
            "--controllers=*,-endpoints-controller,-endpointslice-controller,"
                + "-endpointslice-mirroring-controller",
            "--profiling=false"),
        Map.of("GOGC", "50"),
        List.of(ports.controllerManager()),
        "https://" + LOOPBACK + ":" + ports.controllerManager() + "/healthz");
  }

  private Part.Spec node(Application local) {
    Map<String, String> environment = new HashMap<>();
    environment.put("KUBECONFIG", credentials.kubeconfig(PartName.NODE).toString());
    environment.put("SLUICE_NODE_NAME", "laptop");
    environment.put("SLUICE_NODE_HOME", config.home().resolve("node").toString());
    environment.put("SLUICE_NODE_PORT", Integer.toString(config.ports().node()));
    environment.put("SLUICE_POD_NETWORK", config.podNetwork());
    environment.put("SLUICE_IMAGES", config.images().toString());
    environment.put("SLUICE_CACHE", config.cache().root().toString());
    environment.put("MALLOC_ARENA_MAX", "2"); // saves a JVM tens of MB; pods have it, too
    return spec(
        PartName.NODE,
        local.command(config.home(), 64, List.of("-XX:+ExitOnOutOfMemoryError")),
        environment,
        List.of(config.ports().node()),
        "https://" + LOOPBACK + ":" + config.ports().node() + "/healthz");
  }

  private Part.Spec spec(
      PartName name,
      List<String> command,
      Map<String, String> environment,
      List<Integer> ports,
      String readyUrl) {
    Map<String, String> marked = new HashMap<>(environment);
    // who has memory to spare, as the end-to-end tests do, spends it on fewer collections
    marked.computeIfPresent("GOGC", (key, ours) -> System.getenv().getOrDefault(key, ours));
    marked.put(NodeSettings.CLUSTER_MARK, config.home().toString());
    marked.put(NodeSettings.PART_MARK, name.toString());
    return new Part.Spec(name, command, marked, ports, readyUrl);
  }

  private String binary(Tool tool) {
    return config.cache().binary(tool).toString();
  }
}
