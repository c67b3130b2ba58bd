package dev.sluice.local.node.token;

import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.Sources;
import dev.sluice.local.node.container.StartProblem;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The objects of one pod's namespace, read from the API server when they are needed. */
public final class PodSources implements Sources {
  private final KubernetesClient client;
  private final Pod pod;

  public PodSources(KubernetesClient client, Pod pod) {
    this.client = client;
    this.pod = pod;
  }

  @Override
  public Optional<ConfigMap> configMap(String name) throws StartProblem {
    try {
      return Optional.ofNullable(client.configMaps().inNamespace(namespace()).withName(name).get());
    } catch (KubernetesClientException e) {
      throw problem("ConfigMap " + name, e);
    }
  }

  @Override
  public Optional<Secret> secret(String name) throws StartProblem {
    try {
      return Optional.ofNullable(client.secrets().inNamespace(namespace()).withName(name).get());
    } catch (KubernetesClientException e) {
      throw problem("Secret " + name, e);
    }
  }

  @Override
  public String token(@Nullable String audience, long seconds) throws StartProblem {
    String account = PodFields.serviceAccount(pod);
    TokenRequestBuilder request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(seconds)
            .withNewBoundObjectRef()
            .withApiVersion("v1")
            .withKind("Pod")
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .endBoundObjectRef()
            .endSpec();
    if (audience != null && !audience.isEmpty()) {
      request.editSpec().withAudiences(audience).endSpec();
    }
    try {
      TokenRequest answer =
          client
              .serviceAccounts()
              .inNamespace(namespace())
              .withName(account)
              .tokenRequest(request.build());
      return answer.getStatus().getToken();
    } catch (KubernetesClientException e) {
      throw problem("a token of service account " + account, e);
    }
  }

  private String namespace() {
    return pod.getMetadata().getNamespace();
  }

  private StartProblem problem(String what, KubernetesClientException e) {
    return new StartProblem(
        "ContainerCreating",
        "Cannot get " + what + " in namespace " + namespace() + ": " + e.getMessage());
  }
}
