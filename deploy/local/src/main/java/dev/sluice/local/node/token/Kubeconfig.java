package dev.sluice.local.node.token;

import io.fabric8.kubernetes.api.model.ConfigBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The API server as a kubeconfig.
 *
 * @param server its URL
 * @param caData its certificate authority, PEM in base64; null when the certificate is not checked
 */
public record Kubeconfig(String server, @Nullable String caData) {

  /** The API server that the node itself talks to. */
  public static Kubeconfig of(Config config) throws IOException {
    String ca = config.getCaCertData();
    if (ca == null && config.getCaCertFile() != null) {
      byte[] pem = Files.readAllBytes(Path.of(config.getCaCertFile()));
      ca = Base64.getEncoder().encodeToString(pem);
    }
    return new Kubeconfig(config.getMasterUrl(), ca);
  }

  /** The file for one user: YAML with a token. */
  public byte[] file(String namespace, String user, String token) {
    String yaml =
        Serialization.asYaml(
            new ConfigBuilder()
                .withApiVersion("v1")
                .withKind("Config")
                .addNewCluster()
                .withName("local")
                .withNewCluster()
                .withServer(server)
                .withCertificateAuthorityData(caData)
                .withInsecureSkipTlsVerify(caData == null ? true : null)
                .endCluster()
                .endCluster()
                .addNewUser()
                .withName(user)
                .withNewUser()
                .withToken(token)
                .endUser()
                .endUser()
                .addNewContext()
                .withName("local")
                .withNewContext()
                .withCluster("local")
                .withUser(user)
                .withNamespace(namespace)
                .endContext()
                .endContext()
                .withCurrentContext("local")
                .build());
    return yaml.getBytes(StandardCharsets.UTF_8);
  }
}
