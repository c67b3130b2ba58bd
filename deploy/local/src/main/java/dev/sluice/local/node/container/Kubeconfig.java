package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
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

  public String yaml() {
    Cluster cluster = new Cluster();
    cluster.setServer(server);
    cluster.setCertificateAuthority(authority);
    cluster.setInsecureSkipTlsVerify(authority == null ? true : null);
    AuthInfo login = new AuthInfo();
    login.setToken(token);
    Context context = new Context();
    context.setCluster(NAME);
    context.setUser(user);
    context.setNamespace(namespace);
    Config config = new Config();
    config.setClusters(List.of(new NamedCluster(cluster, NAME)));
    config.setUsers(List.of(new NamedAuthInfo(user, login)));
    config.setContexts(List.of(new NamedContext(context, NAME)));
    config.setCurrentContext(NAME);
    return Serialization.asYaml(config);
  }
}
