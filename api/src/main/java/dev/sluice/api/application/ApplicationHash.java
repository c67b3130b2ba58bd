package dev.sluice.api.application;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells versions of an application apart: two specs have the same hash if their pods and their job
 * are the same. Made from the spec alone, so that neither annotations nor another release of the
 * operator, or its settings, change it.
 *
 * @param full SHA-256, 64 hex digits
 */
public record ApplicationHash(String full) {

  /** Hex digits of a hash in a name: 40 bits. */
  public static final int SHORT = 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** That of a spec. */
  public static ApplicationHash of(FlinkApplicationSpec spec) {
    ObjectNode content = JSON.createObjectNode();
    put(content, "image", spec.image());
    put(content, "imagePullPolicy", spec.imagePullPolicy());
    put(content, "imagePullSecrets", spec.imagePullSecrets());
    put(content, "serviceAccountName", spec.serviceAccountName());
    put(content, "securityContext", spec.securityContext());
    put(content, "flinkConfig", spec.configuration().asMap());
    put(content, "heapOnly", ImageVersion.isHeapOnly(spec.flinkVersion()));
    put(content, "jobManagerConfig", spec.jobManagerConfig());
    put(content, "jobManagerSize", sizes(spec.jobManagerConfig().resources()));
    put(content, "taskManagerConfig", spec.taskManagerConfig());
    put(content, "taskManagerSize", sizes(spec.taskManagerConfig().resources()));
    put(content, "jarName", spec.jarName());
    put(content, "parallelism", spec.parallelism());
    put(content, "entryClass", spec.entryClass());
    put(content, "programArgs", spec.programArgs());
    put(content, "rpcPort", spec.rpcPort());
    put(content, "queryPort", spec.queryPort());
    put(content, "blobPort", spec.blobPort());
    put(content, "uiPort", spec.uiPort());
    put(content, "metricsQueryPort", spec.metricsQueryPort());
    put(content, "volumes", spec.volumes());
    put(content, "volumeMounts", spec.volumeMounts());
    put(content, "restartNonce", "".equals(spec.restartNonce()) ? null : spec.restartNonce());
    put(content, "savepointRedeployNonce", spec.savepointRedeployNonce());
    ((ObjectNode) content.path("jobManagerConfig")).remove("resources");
    ((ObjectNode) content.path("taskManagerConfig")).remove("resources");
    return new ApplicationHash(sha256(canonical(content)));
  }

  /** Whether two specs differ in nothing but the parallelism of the job. */
  public static boolean differInParallelismOnly(
      FlinkApplicationSpec one, FlinkApplicationSpec other) {
    return !of(one).equals(of(other))
        && of(one.withParallelism(1)).equals(of(other.withParallelism(1)));
  }

  /**
   * The hash as it is in names.
   *
   * @param collisions how many shorter hashes of this one were found to be those of other specs
   */
  public String inNames(int collisions) {
    String from = collisions == 0 ? full : sha256(full + '/' + collisions);
    return from.substring(0, SHORT);
  }

  private static void put(ObjectNode content, String name, @Nullable Object value) {
    content.set(name, JSON.valueToTree(value));
  }

  /** As numbers: {@code 0.5} CPU is {@code 500m}. */
  private static Map<String, Map<String, String>> sizes(ResourceRequirements resources) {
    return Map.of(
        "requests", numbers(resources.getRequests()), "limits", numbers(resources.getLimits()));
  }

  private static Map<String, String> numbers(@Nullable Map<String, Quantity> quantities) {
    Map<String, String> numbers = new TreeMap<>();
    if (quantities != null) {
      quantities.forEach(
          (name, quantity) ->
              numbers.put(
                  name, Quantity.getAmountInBytes(quantity).stripTrailingZeros().toPlainString()));
    }
    return numbers;
  }

  private static String canonical(JsonNode node) {
    if (node.isObject()) {
      Map<String, String> fields = new TreeMap<>();
      node.properties()
          .forEach(
              field -> {
                if (!field.getValue().isNull()) {
                  fields.put(field.getKey(), canonical(field.getValue()));
                }
              });
      return fields.entrySet().stream()
          .map(field -> JSON.getNodeFactory().textNode(field.getKey()) + ":" + field.getValue())
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (node.isArray()) {
      StringBuilder items = new StringBuilder("[");
      node.forEach(item -> items.append(canonical(item)).append(','));
      return items.append(']').toString();
    }
    return node.toString();
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
