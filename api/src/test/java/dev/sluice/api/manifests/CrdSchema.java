package dev.sluice.api.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The schema in the committed CRD, without its CEL rules: those need a real API server. */
final class CrdSchema {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Path FILE =
      Path.of("../deploy/crds/flinkdeployments.flink.apache.org-v1.yml");

  private final JsonSchema schema;

  CrdSchema() {
    JsonNode crd = read(FILE);
    JsonNode root = crd.at("/spec/versions/0/schema/openAPIV3Schema");
    schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4).getSchema(root);
  }

  Set<ValidationMessage> validate(Manifest manifest) {
    return schema.validate(parse(manifest.text()));
  }

  static JsonNode read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parse(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
