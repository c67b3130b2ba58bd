package dev.sluice.testing.fuzz;

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
import java.util.List;

/** The schema of a committed CRD, without its CEL rules: those need a real API server. */
public final class CrdSchema {
  private static final YAMLMapper YAML = new YAMLMapper();

  private final JsonNode root;
  private final JsonSchema schema;

  private CrdSchema(JsonNode root) {
    this.root = root;
    this.schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4).getSchema(root);
  }

  /** Of the first version in that file. */
  public static CrdSchema read(Path file) {
    return new CrdSchema(yaml(file).at("/spec/versions/0/schema/openAPIV3Schema"));
  }

  /** A YAML file as JSON. */
  public static JsonNode yaml(Path file) {
    try {
      return YAML.readTree(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What of a resource, or of a part of one, does not fit; empty when all does. */
  public List<String> violations(JsonNode resource) {
    return schema.validate(resource).stream().map(ValidationMessage::getMessage).toList();
  }

  /** The schema of one property at the top, e.g. {@code status}. */
  public CrdSchema property(String name) {
    return new CrdSchema(root.path("properties").path(name));
  }

  JsonNode root() {
    return root;
  }
}
