package dev.sluice.local.node.container;

import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one pod may read of its namespace, from the API server when it is needed, and its
 * kubeconfig.
 *
 * @param client acts as the node
 */
public record PodObjects(KubernetesClient client, Pod pod) implements Sources {
  /**
   * What a kubelet asks for: the API server takes that number as the sign of a client that may not
   * read its token again, and lets it live for a year (--service-account-extend-token-expiration).
   */
  private static final long TOKEN_SECONDS = 3607;

  @Override
  public Optional<Map<String, byte[]>> read(Kind kind, String name) throws StartProblem {
    return ask(
        kind + " " + name,
        () ->
            kind == Kind.CONFIGMAP
                ? Optional.ofNullable(
                        client.configMaps().inNamespace(namespace()).withName(name).get())
                    .map(map -> bytes(map.getData(), map.getBinaryData()))
                : Optional.ofNullable(
                        client.secrets().inNamespace(namespace()).withName(name).get())
                    .map(secret -> bytes(null, secret.getData())));
  }

  private static Map<String, byte[]> bytes(
      @Nullable Map<String, String> text, @Nullable Map<String, String> base64) {
    Map<String, byte[]> all = new HashMap<>();
    if (text != null) {
      text.forEach((key, value) -> all.put(key, value.getBytes(StandardCharsets.UTF_8)));
    }
    if (base64 != null) {
      base64.forEach((key, value) -> all.put(key, Base64.getDecoder().decode(value)));
    }
    return all;
  }

  /** The kubeconfig with which the pod acts as its service account; made when it is missing. */
  public Path kubeconfig(Path podFolder) throws StartProblem, IOException {
    Path file = podFolder.resolve("pod.kubeconfig");
    if (!Files.exists(file)) {
      Trees.write(file, kubeconfig().getBytes(StandardCharsets.UTF_8), 0600);
    }
    return file;
  }

  private String kubeconfig() throws StartProblem {
    Config config = client.getConfiguration();
    String server = config.getMasterUrl();
    return new Kubeconfig(server, config.getCaCertFile(), "pod", token(), namespace()).yaml();
  }

  private String token() throws StartProblem {
    String named = pod.getSpec().getServiceAccountName();
    String account = named == null || named.isEmpty() ? "default" : named;
    ObjectMeta meta = pod.getMetadata();
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(TOKEN_SECONDS)
            .withNewBoundObjectRef("v1", "Pod", meta.getName(), meta.getUid())
            .endSpec()
            .build();
    return ask(
            "a token of service account " + account,
            () ->
                client
                    .serviceAccounts()
                    .inNamespace(namespace())
                    .withName(account)
                    .tokenRequest(request))
        .getStatus()
        .getToken();
  }

  private String namespace() {
    return pod.getMetadata().getNamespace();
  }

  private <T> T ask(String what, Supplier<T> question) throws StartProblem {
    try {
      return question.get();
    } catch (KubernetesClientException e) {
      throw new StartProblem(
          "ContainerCreating",
          "Cannot get " + what + " in namespace " + namespace() + ": " + e.getMessage());
    }
  }
}
