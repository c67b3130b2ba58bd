package dev.sluice.testing.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Values of the right type that no user would write. */
final class WildValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int HUGE = 2000;

  private static final List<Long> INTEGERS =
      List.of(
          0L,
          1L,
          -1L,
          2L,
          7L,
          100L,
          101L,
          32_767L,
          32_768L,
          32_769L,
          65_535L,
          65_536L,
          (long) Integer.MAX_VALUE - 1,
          (long) Integer.MAX_VALUE,
          (long) Integer.MAX_VALUE + 1,
          (long) Integer.MIN_VALUE,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  private static final List<Double> NUMBERS =
      List.of(
          0.0,
          -0.0,
          0.5,
          1.0,
          -1.0,
          1e-300,
          1e300,
          4.9e-324,
          1e18,
          1_000_000.0,
          1_000_001.0,
          Double.MAX_VALUE);

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "\t",
          "a",
          "-",
          ".",
          "..",
          "/",
          "*",
          "0",
          "1",
          "-1",
          "007",
          "1e3",
          "0x10",
          "1_000",
          "3.5",
          "NaN",
          "Infinity",
          "-Infinity",
          "1e400",
          "2147483647",
          "2147483648",
          "-2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999",
          "true",
          "TRUE",
          "yes",
          "false",
          "~",
          "none",
          "NONE",
          "default",
          "1Gi",
          "1g",
          "1024m",
          "1 gb",
          "8388608 tb",
          "9007199254740993k",
          "0b",
          "1b",
          "500m",
          "1e99",
          "1e999999",
          "-1Gi",
          ".5",
          "5.",
          "1Ki1",
          "10 min",
          "1 d",
          "106751991168 d",
          "PT10M",
          "PT-5M",
          "P999999999D",
          "1 fortnight",
          "a:b",
          "a:b,c:d",
          "a:b,c",
          "a:'b",
          "'",
          "\"",
          "[a, b]",
          "[",
          "{a: b}",
          "{",
          "a;b;'c;d'",
          "env:A,secret:b,key:c",
          "env:1A,secret:B,key:c",
          "key:a,operator:Exists,effect:NoExecute",
          "tolerationSeconds:soon",
          "app:other",
          "component:x,team:y",
          "&a [*a]",
          "!!java",
          "../../etc/passwd",
          "/etc/passwd",
          "C:\\windows",
          "file:///x",
          "s3://b/c",
          "hdfs:///x",
          "local:///a b.jar",
          "local:///a#b.jar",
          "http://[::1",
          "http://a:99999/",
          "gopherx://a",
          "flink:1.20",
          "flink :1.20",
          "Flink:1.20",
          "a/b/c@sha256:0",
          "registry:5000/a/b:c",
          "kubernetes",
          "zookeeper",
          "org.example.MyHaFactory",
          "ClusterIP",
          "Headless_ClusterIP",
          "Always",
          "always",
          "savepoint",
          "last-state",
          "running",
          "suspended",
          "native",
          "standalone",
          "v1_20",
          "v9_9",
          "CANONICAL",
          "NATIVE",
          "DEFAULT",
          "{{name}}",
          "{{namespace}}.{{name}}.example.com",
          "{{nope}}",
          "*.example.com",
          "a b",
          "a\nb",
          "a\r\nb: c",
          "a#b",
          "a: b",
          "a\u0000b",
          "\u0007",
          "\u2028",
          "\u202Eabc",
          "\uD83D\uDE80",
          "\uD83D",
          "\uDE80x",
          "e\u0301",
          "ß",
          "İ",
          "ﬀ",
          "١٢٣",
          "１",
          "日本語",
          "%s%n%d",
          "${user.home}",
          "$(date)",
          "`id`",
          "<script>",
          "'; DROP TABLE x; --",
          "\\",
          "\\u0000",
          "(a+)+$",
          "Robert'); --",
          "-Dpassword=x");

  private final Random random;

  WildValues(Random random) {
    this.random = random;
  }

  /** One of the list. */
  <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  String text() {
    return switch (random.nextInt(20)) {
      case 0 -> "x".repeat(1 + random.nextInt(HUGE));
      case 1 -> one(TEXTS) + one(TEXTS);
      case 2 -> one(TEXTS).repeat(1 + random.nextInt(40));
      case 3 -> Integer.toString(random.nextInt());
      default -> one(TEXTS);
    };
  }

  /** A value for that schema. */
  JsonNode of(JsonNode schema, int depth) {
    if (schema.path("nullable").asBoolean() && random.nextInt(8) == 0) {
      return JSON.nullNode();
    }
    if (schema.has("enum")) {
      JsonNode values = schema.path("enum");
      return random.nextInt(4) == 0
          ? JSON.textNode(text())
          : values.get(random.nextInt(values.size()));
    }
    return switch (schema.path("type").asText()) {
      case "string" -> JSON.textNode(text());
      case "integer" -> JSON.numberNode(one(INTEGERS));
      case "number" -> JSON.numberNode(one(NUMBERS));
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "array" -> array(schema.path("items"), depth);
      case "object" -> object(schema, depth);
      default ->
          schema.path("x-kubernetes-int-or-string").asBoolean() && random.nextBoolean()
              ? JSON.numberNode(one(INTEGERS))
              : JSON.textNode(text());
    };
  }

  private ArrayNode array(JsonNode items, int depth) {
    ArrayNode array = JSON.arrayNode();
    int size = size(depth);
    for (int i = 0; i < size; i++) {
      array.add(of(items, depth + 1));
    }
    return array;
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = JSON.objectNode();
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              if (random.nextInt(3) == 0) {
                object.set(property.getKey(), of(property.getValue(), depth + 1));
              }
            });
    JsonNode values = schema.path("additionalProperties");
    if (values.isObject()) {
      int size = size(depth);
      for (int i = 0; i < size; i++) {
        object.set(random.nextBoolean() ? text() : "key" + i, of(values, depth + 1));
      }
    }
    return object;
  }

  /** Mostly small; sometimes huge at the top, never below. */
  private int size(int depth) {
    return depth == 0 && random.nextInt(30) == 0 ? HUGE : random.nextInt(4);
  }
}
