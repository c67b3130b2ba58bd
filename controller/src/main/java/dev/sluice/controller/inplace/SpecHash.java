package dev.sluice.controller.inplace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A fingerprint of an object as we render it, to tell that it needs no write. */
public final class SpecHash {
  /** On ConfigMaps, Services and the Deployment we make: fingerprint of the object without it. */
  public static final String ANNOTATION = "sluice.dev/spec-hash";

  private static final ObjectMapper SORTED =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private SpecHash() {}

  /** The same object with its fingerprint on it. */
  public static <T extends HasMetadata> T annotate(
      T rendered, KubernetesSerialization serialization) {
    T annotated = serialization.clone(rendered);
    Map<String, String> annotations = new TreeMap<>();
    if (rendered.getMetadata().getAnnotations() != null) {
      annotations.putAll(rendered.getMetadata().getAnnotations());
    }
    annotations.put(ANNOTATION, of(rendered, serialization));
    annotated.getMetadata().setAnnotations(annotations);
    return annotated;
  }

  private static String of(HasMetadata rendered, KubernetesSerialization serialization) {
    try {
      String canonical =
          SORTED.writeValueAsString(SORTED.readValue(serialization.asJson(rendered), Map.class));
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM writes JSON and knows SHA-256", e);
    }
  }
}
