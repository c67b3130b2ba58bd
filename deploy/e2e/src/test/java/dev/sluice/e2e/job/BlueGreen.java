package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.Scene;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A FlinkBlueGreenDeployment of the sample job, as a person sees it. */
public final class BlueGreen extends Managed {

  private static final ResourceDefinitionContext KIND =
      kind("flink.apache.org", "FlinkBlueGreenDeployment", "flinkbluegreendeployments");

  private final Scene scene;
  private final Map<String, String> configuration = new TreeMap<>();

  /** One that need not exist yet. */
  public BlueGreen(Scene scene, String name) {
    super(scene.cluster(), KIND, scene.namespace(), name);
    this.scene = scene;
  }

  /** A key of {@code spec.configuration}, from the next {@link #apply} on. */
  public BlueGreen configured(String key, String value) {
    configuration.put(key, value);
    return this;
  }

  /** The child of that colour. */
  public Job child(String color) {
    return scene.job(name + "-" + color);
  }

  /** Applies it with that spec as its template. */
  @Override
  public void apply(Manifest template) {
    cluster.kubectl().apply(manifest(template));
  }

  private String manifest(Manifest template) {
    return """
        apiVersion: flink.apache.org/v1beta1
        kind: FlinkBlueGreenDeployment
        metadata:
          name: %s
          namespace: %s
        spec:
          configuration: {%s}
          template:
        %s
        """
        .formatted(
            name,
            scene.namespace(),
            configuration.entrySet().stream()
                .map(it -> "%s: '%s'".formatted(it.getKey(), it.getValue()))
                .collect(Collectors.joining(", ")),
            template.specText().indent(4));
  }

  /** Until the newest spec is live, and nothing else is there. */
  public Resource awaitLive(String color) {
    return await(
        color + " is live",
        it -> it.isReady() && it.status("/blueGreenState").equals("ACTIVE_" + color.toUpperCase()));
  }
}
