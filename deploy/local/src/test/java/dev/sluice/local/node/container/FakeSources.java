package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects of a namespace that is not there. */
public final class FakeSources implements Sources {
  private final Map<String, ConfigMap> configMaps = new HashMap<>();
  private final Map<String, Secret> secrets = new HashMap<>();
  private int tokens;

  public FakeSources configMap(String name, Map<String, String> data) {
    configMaps.put(name, new ConfigMapBuilder().withData(data).build());
    return this;
  }

  public FakeSources secret(String name, String key, String value) {
    String encoded = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    secrets.put(name, new SecretBuilder().withData(Map.of(key, encoded)).build());
    return this;
  }

  public void forget(String configMap) {
    configMaps.remove(configMap);
  }

  @Override
  public Optional<ConfigMap> configMap(String name) {
    return Optional.ofNullable(configMaps.get(name));
  }

  @Override
  public Optional<Secret> secret(String name) {
    return Optional.ofNullable(secrets.get(name));
  }

  @Override
  public String token(@Nullable String audience, long seconds) {
    return "token-" + tokens++;
  }
}
