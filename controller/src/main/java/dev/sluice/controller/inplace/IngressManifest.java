package dev.sluice.controller.inplace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.api.Labels;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.IngressAddress;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPathBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders the Ingress of a cluster: host and path of the template lead to its REST Service, as in
 * Apache's operator. Pure.
 */
public final class IngressManifest {

  /** Each Ingress controller reads the path in its own way, so that patterns work. */
  private static final String PATH_TYPE = "ImplementationSpecific";

  /** Fingerprint of the object without it: what the spec says no more shows as a difference. */
  private static final String SPEC_HASH = "sluice.dev/spec-hash";

  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final ObjectMapper SORTED =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private IngressManifest() {}

  /**
   * The Service that an Ingress leads to.
   *
   * @param service its name
   * @param port of it
   */
  public record Backend(String service, int port) {

    /** The REST Service of the cluster of a FlinkDeployment of that name. */
    public static Backend rest(String cluster, int port) {
      return new Backend(cluster + "-rest", port);
    }
  }

  /**
   * The Ingress, ready for a server-side apply. The same values give the same object.
   *
   * @param ref the resource, which becomes the owner
   * @param spec of a valid resource
   * @param backend where it leads
   * @throws IllegalArgumentException when there is no template, or it cannot be read
   */
  public static Ingress of(ResourceRef ref, IngressSpec spec, Backend backend) {
    if (spec.template() == null) {
      throw new IllegalArgumentException("spec.ingress.template: must be given");
    }
    IngressAddress address = IngressAddress.of(spec.template(), ref.name(), ref.namespace());
    Ingress rendered =
        new IngressBuilder()
            .withNewMetadata()
            .withName(ref.name())
            .withNamespace(ref.namespace())
            .withLabels(labels(ref, spec))
            .withAnnotations(new TreeMap<>(spec.annotations()))
            .withOwnerReferences(owner(ref))
            .endMetadata()
            .withNewSpec()
            .withIngressClassName(spec.className())
            .withTls(spec.tls())
            .addNewRule()
            .withHost(address.host())
            .withNewHttp()
            .withPaths(path(address, backend))
            .endHttp()
            .endRule()
            .endSpec()
            .build();
    return new IngressBuilder(rendered)
        .editMetadata()
        .addToAnnotations(SPEC_HASH, hash(rendered))
        .endMetadata()
        .build();
  }

  private static String hash(Ingress rendered) {
    try {
      String canonical =
          SORTED.writeValueAsString(SORTED.readValue(SERIALIZATION.asJson(rendered), Map.class));
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM writes JSON and knows SHA-256", e);
    }
  }

  /** What finds it again; not Flink's labels, which users may set here. */
  private static Map<String, String> labels(ResourceRef ref, IngressSpec spec) {
    Map<String, String> labels = new TreeMap<>(spec.labels());
    labels.putIfAbsent(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    labels.put(Labels.RESOURCE_KIND, ref.kind());
    labels.put(Labels.RESOURCE_NAME, ref.name());
    return labels;
  }

  /**
   * Not the controller of it: one that Apache's operator left has another owner of that kind, and
   * there can be one only.
   */
  private static OwnerReference owner(ResourceRef ref) {
    return new OwnerReferenceBuilder()
        .withApiVersion(FlinkDeployment.API_VERSION)
        .withKind(ref.kind())
        .withName(ref.name())
        .withUid(ref.uid())
        .build();
  }

  private static HTTPIngressPath path(IngressAddress address, Backend backend) {
    return new HTTPIngressPathBuilder()
        .withPath(address.path())
        .withPathType(PATH_TYPE)
        .withNewBackend()
        .withNewService()
        .withName(backend.service())
        .withNewPort()
        .withNumber(backend.port())
        .endPort()
        .endService()
        .endBackend()
        .build();
  }
}
