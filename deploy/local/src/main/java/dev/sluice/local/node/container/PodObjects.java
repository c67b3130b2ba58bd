package dev.sluice.local.node.container;

import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
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
    Path file = podFolder.resolve("kubeconfig");
    if (!Files.exists(file)) {
      Trees.write(file, kubeconfig().getBytes(StandardCharsets.UTF_8), 0600);
    }
    return file;
  }

  private String kubeconfig() throws StartProblem {
    Config config = client.getConfiguration();
    String ca = config.getCaCertFile();
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: local, cluster: {server: "%s", %s}}
        users:
        - {name: pod, user: {token: "%s"}}
        contexts:
        - {name: local, context: {cluster: local, user: pod, namespace: "%s"}}
        current-context: local
        """
        .formatted(
            config.getMasterUrl(),
            ca == null ? "insecure-skip-tls-verify: true" : "certificate-authority: \"" + ca + "\"",
            token(),
            namespace());
  }

  /** A token of the pod's service account, bound to the pod. */
  private String token() throws StartProblem {
    String named = pod.getSpec().getServiceAccountName();
    String account = named == null || named.isEmpty() ? "default" : named;
    String path = "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(namespace(), account);
    ObjectMeta meta = pod.getMetadata();
    var bound =
        Map.of("apiVersion", "v1", "kind", "Pod", "name", meta.getName(), "uid", meta.getUid());
    var spec = Map.of("expirationSeconds", TOKEN_SECONDS, "boundObjectRef", bound);
    var request =
        Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest", "spec", spec);
    String answer =
        ask("a token of service account " + account, () -> client.raw(path, "POST", request));
    return Serialization.unmarshal(answer, TokenRequest.class).getStatus().getToken();
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
