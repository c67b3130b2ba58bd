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
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
  private final ControllerStatus<R, S> fields;
  private final StatusThrottle<R, S> throttle;

  /**
   * @param client stays the caller's to close
   * @param fields which fields are ours
   * @param clock measures the interval
   * @param interval of which each has three writes that may only follow cluster and job
   */
  public StatusWriter(
      KubernetesClient client,
      Class<R> type,
      ControllerStatus<R, S> fields,
      Clock clock,
      Duration interval) {
    this.client = SingleTry.of(client);
    this.type = type;
    this.fields = fields;
    this.throttle = new StatusThrottle<>(fields, clock, interval);
  }

  /**
   * Applies it, in one try: the caller is called again when the API server is not available. What
   * it refuses is replaced by a minimal status that says so, and not sent again.
   *
   * @return the resource as it is now; empty when this instance of it is gone, or nothing could be
   *     written
   */
  public Optional<R> apply(R resource, S wanted) {
    try {
      return written(resource, wanted, patch(resource, wanted));
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      if (!REFUSED.contains(failed.getCode())) {
        throw failed;
      }
      String why = why(failed);
      LOG.warn("The API server refuses the status; writing a minimal one: {}", why);
      return applyMinimal(resource, wanted, why);
    }
  }

  /**
   * Applies it, if that is due. The next reconciliation sees it, even before the informer does.
   *
   * @param written what is done once it is written
   */
  public Outcome<R> write(R resource, S wanted, Context<R> context, Runnable written) {
    Optional<Duration> due = due(resource, wanted);
    if (due.filter(Duration::isZero).isEmpty()) {
      return new Outcome<>(resource, due);
    }
    Optional<R> now = apply(resource, wanted);
    now.ifPresent(
        it -> {
          remember(it, resource, context);
          written.run();
        });
    return new Outcome<>(now.orElse(resource), Optional.empty());
  }

  /** When a status has to be written, as {@link StatusThrottle#due} decides. */
  Optional<Duration> due(R resource, S wanted) {
    return throttle.due(resource, wanted);
  }

  /**
   * The result of a write.
   *
   * @param resource as it is now
   * @param due when to come back because it is not due yet
   */
  public record Outcome<R>(R resource, Optional<Duration> due) {}

  /** The resource is gone. */
  public void forget(String uid) {
    throttle.forget(uid);
  }

  /** So that the next reconciliation sees what was written, even before the informer does. */
  public static <R extends HasMetadata> void remember(R written, R before, Context<R> context) {
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(before), written, before);
  }

  private Optional<R> applyMinimal(R resource, S refused, String why) {
    try {
      return written(resource, refused, patch(resource, fields.minimal(resource, refused, why)));
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      if (!REFUSED.contains(failed.getCode())) {
        throw failed;
      }
      LOG.warn("The API server refuses the minimal status too: {}", why(failed));
      throttle.written(resource, refused);
      return Optional.empty();
    }
  }

  /** The API server takes a status for another instance of the name: no uid is compared there. */
  private Optional<R> written(R resource, S wanted, R result) {
    if (!result.getMetadata().getUid().equals(resource.getMetadata().getUid())) {
      LOG.warn("A new instance of the resource was given the status of the one before it");
      // what it says of a job would be believed of a resource that never had one
      R unused = send(result, NOTHING_OBSERVED);
      return Optional.empty();
    }
    throttle.written(result, wanted);
    return Optional.of(result);
  }

  /** The fields and what is wrong with them; the exception's own message is mostly its request. */
  private static String why(KubernetesClientException failed) {
    Status status = failed.getStatus();
    StatusDetails details = status == null ? null : status.getDetails();
    if (details == null || details.getCauses() == null || details.getCauses().isEmpty()) {
      return String.valueOf(failed.getMessage());
    }
    return details.getCauses().stream()
        .map(cause -> cause.getField() + ": " + cause.getMessage())
        .collect(Collectors.joining("; "));
  }

  private R patch(R resource, S status) {
    return send(resource, client.getKubernetesSerialization().convertValue(status, Map.class));
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
