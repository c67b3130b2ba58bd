package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the controller's part of a status server-side, and nothing else: the body holds no spec,
 * so that no default of ours can ever become a user's value.
 *
 * @param <R> the resource
 * @param <S> its status
 */
public final class StatusWriter<R extends HasMetadata, S> {

  /** Field manager; the workflow's is another one. */
  public static final String FIELD_MANAGER = "sluice-controller";

  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  /** 422 Unprocessable Entity: the schema, or a rule, refuses it. */
  private static final Set<Integer> REFUSED = Set.of(HttpURLConnection.HTTP_BAD_REQUEST, 422);

  /** Takes every field of ours away; the API server wants one to be left. */
  private static final Map<String, Integer> NOTHING_OBSERVED = Map.of("observedGeneration", 0);

  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(FIELD_MANAGER)
          .withForce(true)
          .build();

  private final KubernetesClient client;
  private final Class<R> type;

  /**
   * @param client stays the caller's to close
   */
  public StatusWriter(KubernetesClient client, Class<R> type) {
    this.client = SingleTry.of(client);
    this.type = type;
  }

  /**
   * The result of a write.
   *
   * @param resource as it is now; null when this instance of it is gone, or the status was refused
   * @param refused why the API server refuses the status; null when it does not
   */
  public record Written<R>(@Nullable R resource, @Nullable String refused) {}

  /**
   * Applies it, in one try.
   *
   * @throws KubernetesClientException when the API server is not available
   */
  public Written<R> apply(R resource, S wanted) {
    try {
      R result =
          send(resource, client.getKubernetesSerialization().convertValue(wanted, Map.class));
      if (result.getMetadata().getUid().equals(resource.getMetadata().getUid())) {
        return new Written<>(result, null);
      }
      // the API server compares no uid: a job id in it would be believed of the new instance
      LOG.warn("A new instance of the resource was given the status of the one before it");
      R unused = send(result, NOTHING_OBSERVED);
      return new Written<>(null, null);
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return new Written<>(null, null);
      }
      if (!REFUSED.contains(failed.getCode())) {
        throw failed;
      }
      return new Written<>(null, why(failed));
    }
  }

  /** Makes the next reconciliation see what was written, even before the informer does. */
  public static <R extends HasMetadata> void remember(R written, R before, Context<R> context) {
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(before), written, before);
  }

  /** The fields and what is wrong with them; the exception's own message is mostly its request. */
  private static String why(KubernetesClientException failed) {
    return Optional.ofNullable(failed.getStatus())
        .map(Status::getDetails)
        .map(StatusDetails::getCauses)
        .filter(causes -> !causes.isEmpty())
        .map(
            causes ->
                causes.stream()
                    .map(cause -> cause.getField() + ": " + cause.getMessage())
                    .collect(Collectors.joining("; ")))
        .orElseGet(() -> String.valueOf(failed.getMessage()));
  }

  private R send(R resource, Map<?, ?> status) {
    var serialization = client.getKubernetesSerialization();
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(resource.getApiVersion());
    body.setKind(resource.getKind());
    body.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(resource.getMetadata().getNamespace())
            .withName(resource.getMetadata().getName())
            .withUid(resource.getMetadata().getUid())
            .build());
    body.setAdditionalProperties(Map.of("status", status));
    GenericKubernetesResource result = client.resource(body).subresource("status").patch(APPLY);
    return serialization.unmarshal(serialization.asJson(result), type);
  }
}
