package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an API server, as one user.
 *
 * @param authority the file with the certificate of who signed the server's; null to trust any
 * @param namespace what commands without one are about
 */
public record Kubeconfig(
    String server, @Nullable String authority, String user, String token, String namespace) {
  private static final String NAME = "sluice";

  /** The content of a kubeconfig file. */
  public String yaml() {
    return Serialization.asYaml(
        new ConfigBuilder()
            .withApiVersion("v1")
            .withKind("Config")
            .addNewCluster()
            .withName(NAME)
            .withNewCluster()
            .withServer(server)
            .withCertificateAuthority(authority)
            .withInsecureSkipTlsVerify(authority == null ? true : null)
            .endCluster()
            .endCluster()
            .addNewUser()
            .withName(user)
            .withNewUser()
            .withToken(token)
            .endUser()
            .endUser()
            .addNewContext()
            .withName(NAME)
            .withNewContext()
            .withCluster(NAME)
            .withUser(user)
            .withNamespace(namespace)
            .endContext()
            .endContext()
            .withCurrentContext(NAME)
            .build());
  }
}
