package dev.sluice.local.cluster;

import dev.sluice.local.node.container.Kubeconfig;
import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;

/** Random tokens and the service accounts' signing key of one cluster, made once, mode 600. */
final class Credentials {
  private static final Duration RENEW_AFTER = Duration.ofDays(330);

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

  /** Signs service-account tokens. */
  Path signingKey() {
    return folder.resolve("service-accounts.key");
  }

  /** Checks service-account tokens. */
  Path checkingKey() {
    return folder.resolve("service-accounts.pub");
  }

  /**
   * {@code --cert-dir} of the API server, which makes a certificate for a year when there is none.
   */
  Path certificates() {
    return config.home().resolve("certificates");
  }

  /** The API server's certificate: self-signed, so its own authority. */
  Path certificate() {
    return certificates().resolve("apiserver.crt");
  }

  /**
   * Removes a certificate that ends soon, and half a pair, which a kill leaves: the API server
   * makes another when it starts.
   */
  void removeOldCertificate(Instant now) throws IOException {
    Path key = certificates().resolve("apiserver.key");
    if (!Files.exists(certificate())
        || !Files.exists(key)
        || Files.getLastModifiedTime(certificate()).toInstant().isBefore(now.minus(RENEW_AFTER))) {
      Files.deleteIfExists(key);
      Files.deleteIfExists(certificate());
    }
  }

  /** The kubeconfig of a part, with no more rights than it has. */
  Path kubeconfig(PartName part) {
    return folder.resolve(part + ".kubeconfig");
  }

  void writeFiles() throws IOException {
    Trees.createPrivateFolder(folder);
    String administrator = token("admin");
    String controllerManager = token(PartName.KUBE_CONTROLLER_MANAGER.toString());
    String node = token(PartName.NODE.toString());
    // token,user,uid,groups: see "Static token file" in the Kubernetes authentication reference
    Trees.writePrivate(
        tokens(),
        """
        %s,admin,admin,system:masters
        %s,system:kube-controller-manager,kube-controller-manager
        %s,sluice-node,sluice-node
        """
            .formatted(administrator, controllerManager, node));
    if (!Files.exists(checkingKey())) {
      makeKeys();
    }
    Trees.writePrivate(config.kubeconfig(), kubeconfig("admin", administrator));
    Trees.writePrivate(
        kubeconfig(PartName.KUBE_CONTROLLER_MANAGER),
        kubeconfig("kube-controller-manager", controllerManager));
    Trees.writePrivate(kubeconfig(PartName.NODE), kubeconfig("sluice-node", node));
  }

  /** Elliptic, because making an RSA key takes a second. */
  private void makeKeys() throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      Trees.writePrivate(signingKey(), pem("PRIVATE KEY", keys.getPrivate()));
      Trees.writePrivate(checkingKey(), pem("PUBLIC KEY", keys.getPublic()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has elliptic curves", e);
    }
  }

  private static String pem(String what, Key key) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(what, Base64.getMimeEncoder().encodeToString(key.getEncoded()), what);
  }

  private String token(String owner) throws IOException {
    Path file = folder.resolve(owner + ".token");
    if (!Files.exists(file)) {
      byte[] random = new byte[32];
      new SecureRandom().nextBytes(random);
      Trees.writePrivate(file, HexFormat.of().formatHex(random));
    }
    return Files.readString(file).strip();
  }

  private String kubeconfig(String user, String token) {
    String server = "https://127.0.0.1:" + config.ports().apiServer();
    return new Kubeconfig(server, certificate().toString(), user, token, "default").yaml();
  }
}
