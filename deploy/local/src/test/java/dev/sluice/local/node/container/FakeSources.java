package dev.sluice.local.node.container;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Objects of a namespace that is not there. */
public final class FakeSources implements Sources {
  private final Map<String, Map<String, byte[]>> objects = new HashMap<>();

  public FakeSources configMap(String name, Map<String, String> data) {
    Map<String, byte[]> bytes = new HashMap<>();
    data.forEach((key, value) -> bytes.put(key, value.getBytes(StandardCharsets.UTF_8)));
    objects.put("configmap " + name, bytes);
    return this;
  }

  public FakeSources secret(String name, String key, String value) {
    objects.put("secret " + name, Map.of(key, value.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  public void forget(String configMap) {
    objects.remove("configmap " + configMap);
  }

  @Override
  public Optional<Map<String, byte[]>> read(Kind kind, String name) {
    return Optional.ofNullable(objects.get(kind + " " + name));
  }
}
