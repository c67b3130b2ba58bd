package dev.sluice.activities.manifest.application;

import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A FlinkApplication in {@code in.yaml} and the objects rendered from it in {@code out.yaml}.
 * Annotations {@code golden/...} stand for what is no part of the spec.
 */
record ApplicationCase(Path folder) {
  private static final Path ALL = Path.of("src/test/resources/golden-application");
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  static List<ApplicationCase> all() {
    try (Stream<Path> folders = Files.list(ALL)) {
      return folders.sorted().map(ApplicationCase::new).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ApplicationCase of(String name) {
    return new ApplicationCase(ALL.resolve(name));
  }

  VersionTarget target() {
    FlinkApplication resource =
        SERIALIZATION.unmarshal(read(folder.resolve("in.yaml")), FlinkApplication.class);
    Map<String, String> annotations =
        new TreeMap<>(
            Objects.requireNonNullElse(resource.getMetadata().getAnnotations(), Map.of()));
    String colour = annotations.remove("golden/colour");
    String cluster = annotations.remove("golden/cluster");
    annotations.remove("golden/options");
    ApplicationHash hash = ApplicationHash.of(resource.getSpec());
    resource.getMetadata().setAnnotations(annotations);
    return VersionTarget.of(
        new ResourceRef(
            "kubernetes",
            FlinkApplication.KIND,
            resource.getMetadata().getNamespace(),
            resource.getMetadata().getName(),
            resource.getMetadata().getUid()),
        resource,
        new VersionRef(
            hash.inNames(0),
            hash.full(),
            cluster == null ? VersionNames.cluster("wordcount", hash.inNames(0)) : cluster,
            colour == null ? null : Colour.valueOf(colour.toUpperCase(Locale.ROOT)),
            resource.getMetadata().getGeneration(),
            null,
            false),
        resource.getSpec());
  }

  ApplicationOptions options() {
    return read(folder.resolve("in.yaml")).contains("golden/options")
        ? new ApplicationOptions("{{$jobCluster}}.flink.example.com", "flink-%s", "volcano")
        : ApplicationOptions.NONE;
  }

  String rendered() {
    StringBuilder text = new StringBuilder();
    for (HasMetadata object : new VersionRenderer(options()).render(target()).all()) {
      text.append(SERIALIZATION.asYaml(object));
    }
    return text.toString();
  }

  String expected() {
    return read(out());
  }

  Path out() {
    return folder.resolve("out.yaml");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return folder.getFileName().toString();
  }
}
