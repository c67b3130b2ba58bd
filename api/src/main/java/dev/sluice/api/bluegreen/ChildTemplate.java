package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/** What each child of a FlinkBlueGreenDeployment is made from. */
@JsonRecord
@WithMethods
public record ChildTemplate(
    @JsonPropertyDescription("Labels and annotations of the children.") ChildMetadata metadata,
    @JsonPropertyDescription("Spec of the children, as of a FlinkDeployment.")
        FlinkDeploymentSpec spec)
    implements ChildTemplateBuilder.With {

  /** Says nothing. */
  public static final ChildTemplate EMPTY =
      new ChildTemplate(ChildMetadata.EMPTY, FlinkDeploymentSpec.EMPTY);

  private static final ObjectMapper SORTED =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  public ChildTemplate {
    metadata = metadata == null ? ChildMetadata.EMPTY : metadata;
    spec = spec == null ? FlinkDeploymentSpec.EMPTY : spec;
  }

  /** The same for templates between which no child would see a difference. */
  public String hash() {
    Map<?, ?> content =
        SORTED.convertValue(new ChildTemplate(metadata, spec.withIngress(null)), Map.class);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(SORTED.writeValueAsBytes(content));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, 8));
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM writes JSON and knows SHA-256", e);
    }
  }
}
