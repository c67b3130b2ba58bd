package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Random tokens and the service accounts' signing key of one cluster, made once, mode 600. */
final class Credentials {

  private final Path folder;
  private final ClusterConfig config;

  Credentials(ClusterConfig config) {
    this.config = config;
    this.folder = config.home().resolve("credentials");
  }

  /** {@code --token-auth-file} of the API server. */
  Path tokens() {
    return folder.resolve("tokens.csv");
  }

  /** Signs and checks service-account tokens. */
  Path serviceAccountKey() {
    return folder.resolve("service-accounts.key");
  }

  /** The kubeconfig of a part, with no more rights than it has. */
  Path kubeconfig(PartName part) {
    return folder.resolve(part + ".kubeconfig");
  }

  /** Makes what is missing. */
  void lay() throws IOException {
    PrivateFiles.createFolder(folder);
    String administrator = token("admin");
    String controllerManager = token(PartName.KUBE_CONTROLLER_MANAGER.toString());
    String node = token(PartName.NODE.toString());
    // token,user,uid,groups: see "Static token file" in the Kubernetes authentication reference
    PrivateFiles.write(
        tokens(),
        """
        %s,admin,admin,system:masters
        %s,system:kube-controller-manager,kube-controller-manager
        %s,sluice-node,sluice-node
        """
            .formatted(administrator, controllerManager, node));
    if (!Files.exists(serviceAccountKey())) {
      PrivateFiles.write(serviceAccountKey(), SigningKey.generate());
    }
    PrivateFiles.write(config.kubeconfig(), kubeconfig("admin", administrator));
    PrivateFiles.write(
        kubeconfig(PartName.KUBE_CONTROLLER_MANAGER),
        kubeconfig("kube-controller-manager", controllerManager));
    PrivateFiles.write(kubeconfig(PartName.NODE), kubeconfig("sluice-node", node));
  }

  private String token(String owner) throws IOException {
    Path file = folder.resolve(owner + ".token");
    if (!Files.exists(file)) {
      byte[] random = new byte[32];
      new SecureRandom().nextBytes(random);
      PrivateFiles.write(file, HexFormat.of().formatHex(random));
    }
    return Files.readString(file).strip();
  }

  private String kubeconfig(String user, String token) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: sluice
      cluster:
        server: https://127.0.0.1:%d
        certificate-authority: %s
    users:
    - name: %s
      user:
        token: %s
    contexts:
    - name: sluice
      context:
        cluster: sluice
        user: %s
        namespace: default
    current-context: sluice
    """
        .formatted(config.ports().apiServer(), ServingCertificate.of(config), user, token, user);
  }
}
