package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A FlinkDeployment in {@code in.yaml} and the objects rendered from it in {@code out.yaml}. */
record GoldenCase(Path folder) {
  static final String JOB_ID = "00112233445566778899aabbccddeeff";
  private static final Path ALL = Path.of("src/test/resources/golden");
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  static List<GoldenCase> all() {
    try (Stream<Path> folders = Files.list(ALL)) {
      return folders.sorted().map(GoldenCase::new).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The annotation {@code golden/restore-from} stands for what a workflow would say. */
  ClusterTarget target() {
    FlinkDeployment resource =
        SERIALIZATION.unmarshal(read(folder.resolve("in.yaml")), FlinkDeployment.class);
    return new ClusterTarget(
        resource.getMetadata().getNamespace(),
        resource.getMetadata().getName(),
        resource.getMetadata().getUid(),
        resource.getSpec(),
        resource.getMetadata().getGeneration(),
        JOB_ID,
        restore(resource.getMetadata().getAnnotations().get("golden/restore-from")));
  }

  private static StateRef restore(String path) {
    return path == null ? new StateRef.Empty("the case says so") : new StateRef.Savepoint(path);
  }

  String expected() {
    return read(out());
  }

  Path out() {
    return folder.resolve("out.yaml");
  }

  static String yaml(ClusterManifests manifests) {
    StringBuilder text = new StringBuilder();
    for (HasMetadata object : manifests.all()) {
      text.append(SERIALIZATION.asYaml(object));
    }
    return text.toString();
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
