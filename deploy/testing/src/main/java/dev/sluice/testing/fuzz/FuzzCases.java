package dev.sluice.testing.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Cases of one kind: the same seed gives the same cases, and each can be made alone.
 *
 * <p>System properties: {@value #SEED} (default {@value #USUAL_SEED}, so that two builds of one
 * commit do the same), {@value #COUNT} (default {@value #USUAL_COUNT}) for longer walks, {@value
 * #NUMBER} for one case only.
 */
public final class FuzzCases {
  /** Property: what all cases are made from. */
  public static final String SEED = "sluice.fuzz.seed";

  /** Property: how many cases. */
  public static final String COUNT = "sluice.fuzz.count";

  /** Property: the only case to make. */
  public static final String NUMBER = "sluice.fuzz.case";

  private static final long USUAL_SEED = 20_261_121;
  private static final int USUAL_COUNT = 1000;
  private static final int MOST_CHANGES = 4;

  private final JsonNode spec;
  private final List<ObjectNode> originals;
  private final List<Free> free;

  /**
   * A part of the spec that the schema leaves open.
   *
   * @param path from the top of the resource, of object fields and array indexes
   * @param keys that may be set in it: dots separate fields, {@code [0]} is an item; for a flat map
   *     whole keys
   * @param flat whether a key with dots is one field
   */
  public record Free(List<String> path, List<String> keys, boolean flat) {}

  /**
   * @param originals good resources
   * @param free what the schema leaves open
   */
  public FuzzCases(CrdSchema schema, List<ObjectNode> originals, List<Free> free) {
    this.spec = schema.root().path("properties").path("spec");
    this.originals = originals;
    this.free = free;
  }

  /** As many as the system properties say. */
  public Stream<FuzzCase> stream() {
    long seed = Long.getLong(SEED, USUAL_SEED);
    Integer only = Integer.getInteger(NUMBER);
    return only != null
        ? Stream.of(make(seed, only))
        : IntStream.range(0, Integer.getInteger(COUNT, USUAL_COUNT))
            .mapToObj(number -> make(seed, number));
  }

  private FuzzCase make(long seed, int number) {
    Random random = new Random(seed * 31 + number);
    random.nextInt(); // the first numbers of neighbouring seeds are alike
    WildValues wild = new WildValues(random);
    ObjectNode original = wild.one(originals);
    ObjectNode mutated = original.deepCopy();
    List<String> changes = new ArrayList<>();
    int count = 1 + random.nextInt(MOST_CHANGES);
    for (int i = 0; i < count; i++) {
      changes.add(change(mutated, random, wild));
    }
    return new FuzzCase(seed, number, changes, original, mutated);
  }

  private String change(ObjectNode resource, Random random, WildValues wild) {
    return switch (random.nextInt(12)) {
      case 0 -> {
        String name = wild.text();
        resource.withObject("/metadata").put("name", name);
        yield "metadata.name = " + name;
      }
      case 1, 2 -> removeOrNull(resource, random);
      case 3, 4, 5, 6 -> setFree(resource, random, wild);
      default -> setBySchema(resource, random, wild);
    };
  }

  /** Walks down the schema to a random property and sets it. */
  private String setBySchema(ObjectNode resource, Random random, WildValues wild) {
    JsonNode at = spec;
    ObjectNode object = child(resource, "spec");
    String path = "spec";
    while (true) {
      List<String> names = new ArrayList<>();
      at.path("properties").fieldNames().forEachRemaining(names::add);
      String name = wild.one(names);
      path += "." + name;
      JsonNode property = at.path("properties").path(name);
      if (property.has("properties") && random.nextInt(6) != 0) {
        object = child(object, name);
        at = property;
        continue;
      }
      JsonNode value = wild.of(property, 0);
      object.set(name, value);
      return path + " = " + shown(value);
    }
  }

  private String setFree(ObjectNode resource, Random random, WildValues wild) {
    Free part = wild.one(free);
    String key = random.nextInt(10) == 0 ? wild.text() : wild.one(part.keys());
    ObjectNode object = resource;
    for (String name : part.path()) {
      object = child(object, name);
    }
    String value = wild.text();
    if (part.flat() && random.nextInt(5) != 0) {
      object.put(key, value);
    } else {
      setNested(object, key, value);
    }
    return String.join(".", part.path()) + " " + key + " = " + value;
  }

  private static void setNested(ObjectNode top, String key, String value) {
    ObjectNode object = top;
    String[] names = key.split("\\.");
    for (int i = 0; i < names.length - 1; i++) {
      object = names[i].endsWith("[0]") ? item(object, names[i]) : child(object, names[i]);
    }
    object.put(names.length == 0 ? key : names[names.length - 1], value);
  }

  private static ObjectNode item(ObjectNode object, String name) {
    String field = name.substring(0, name.length() - 3);
    ArrayNode array = object.get(field) instanceof ArrayNode there ? there : object.putArray(field);
    return array.get(0) instanceof ObjectNode first ? first : array.insertObject(0);
  }

  private static ObjectNode child(ObjectNode object, String name) {
    return object.get(name) instanceof ObjectNode there ? there : object.putObject(name);
  }

  private static String removeOrNull(ObjectNode resource, Random random) {
    ObjectNode object = child(resource, "spec");
    String path = "spec";
    while (true) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      if (names.isEmpty()) {
        return path + " is empty already";
      }
      String name = names.get(random.nextInt(names.size()));
      path += "." + name;
      if (object.get(name) instanceof ObjectNode inner && random.nextInt(3) != 0) {
        object = inner;
        continue;
      }
      if (random.nextBoolean()) {
        object.putNull(name);
        return path + " = null";
      }
      object.remove(name);
      return path + " removed";
    }
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= 200 ? text : text.substring(0, 200) + "... (" + text.length() + ")";
  }
}
