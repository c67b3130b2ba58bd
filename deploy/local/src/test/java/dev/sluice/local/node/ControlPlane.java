package dev.sluice.local.node;

import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import dev.sluice.local.parts.Tool;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;

/** A real etcd, kube-apiserver and kube-controller-manager, for as long as the tests run. */
final class ControlPlane implements AutoCloseable {
  private static final int ETCD = 22001;
  private static final int ETCD_PEER = 22002;
  private static final int API = 22003;
  private static final int CONTROLLERS = 22004;
  private static final String URL = "https://127.0.0.1:" + API;
  private static final String TOKEN = "admin-of-this-test";

  private final Path dir;
  private final List<Process> processes = new ArrayList<>();
  private final KubernetesClient client;

  ControlPlane(Path dir) throws IOException, GeneralSecurityException {
    this.dir = dir;
    CacheDirectory cache = CacheDirectory.ofThisUser();
    PartsProvider.of(cache, Repository.root(), Progress.on(System.err, false))
        .provide(
            List.of(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER, Tool.KUBECTL));
    Files.createDirectories(dir);
    var keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    Path key = dir.resolve("sa.key");
    String pem =
        Base64.getMimeEncoder().encodeToString(keys.generateKeyPair().getPrivate().getEncoded());
    Files.writeString(key, "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    Path tokens = Files.writeString(dir.resolve("tokens"), TOKEN + ",admin,admin,system:masters\n");
    Files.writeString(kubeconfig(), kubeconfigText());
    String etcd = "http://127.0.0.1:" + ETCD;
    String peer = "http://127.0.0.1:" + ETCD_PEER;
    start(
        cache.binary(Tool.ETCD),
        "--data-dir=" + dir.resolve("etcd"),
        "--listen-client-urls=" + etcd,
        "--advertise-client-urls=" + etcd,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--unsafe-no-fsync");
    start(
        cache.binary(Tool.KUBE_APISERVER),
        "--etcd-servers=" + etcd,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--secure-port=" + API,
        "--cert-dir=" + dir.resolve("certs"),
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.96.0.0/24",
        "--service-account-issuer=" + URL,
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key);
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(URL)
            .withOauthToken(TOKEN)
            .withTrustCerts(true)
            .withRequestRetryBackoffLimit(0)
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
    Awaitility.await("the API server")
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
        .until(() -> "ok".equals(client.raw("/readyz")));
    start(
        cache.binary(Tool.KUBE_CONTROLLER_MANAGER),
        "--kubeconfig=" + kubeconfig(),
        "--bind-address=127.0.0.1",
        "--secure-port=" + CONTROLLERS,
        "--service-account-private-key-file=" + key,
        "--use-service-account-credentials=true",
        "--root-ca-file=" + dir.resolve("certs/apiserver.crt"),
        "--leader-elect=false",
        "--controllers=*,-endpoints-controller,-endpointslice-controller,"
            + "-endpointslice-mirroring-controller");
  }

  KubernetesClient client() {
    return client;
  }

  Path kubeconfig() {
    return dir.resolve("kubeconfig");
  }

  /** A kubectl command line as administrator. */
  ProcessBuilder kubectl(String... args) {
    List<String> command = new ArrayList<>();
    command.add(CacheDirectory.ofThisUser().binary(Tool.KUBECTL).toString());
    command.add("--kubeconfig=" + kubeconfig());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private void start(Path binary, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    command.addAll(List.of(args));
    Path log = dir.resolve(binary.getFileName() + ".log");
    processes.add(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start());
  }

  private static String kubeconfigText() {
    return """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u, namespace: default}}]
        current-context: x
        """
        .formatted(URL, TOKEN);
  }

  @Override
  public void close() {
    client.close();
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).destroy();
      processes.get(i).onExit().join();
    }
  }
}
