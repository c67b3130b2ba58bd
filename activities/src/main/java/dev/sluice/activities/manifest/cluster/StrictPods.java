package dev.sluice.activities.manifest.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;

/**
 * Reads pods so that what is wrong is found with its path: empty items of lists and quantities,
 * which the client takes as any text, and which the API server refuses without naming the field.
 */
final class StrictPods {
  private StrictPods() {}

  static KubernetesSerialization serialization() {
    return new KubernetesSerialization(
        new ObjectMapper()
            .setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .addMixIn(Quantity.class, Strict.class),
        true);
  }

  @JsonDeserialize(using = Quantities.class)
  private interface Strict {}

  private static final class Quantities extends Quantity.Deserializer {
    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      Quantity quantity = super.deserialize(parser, context);
      try {
        quantity.getNumericalAmount();
        return quantity;
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw JsonMappingException.from(parser, "no quantity", e);
      }
    }
  }
}
