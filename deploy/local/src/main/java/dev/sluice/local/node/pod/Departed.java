package dev.sluice.local.node.pod;

import dev.sluice.local.node.volume.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Pods that the API server has no more. */
public final class Departed {
  private static final int KEPT = 50;

  private Departed() {}

  /** A pod as far as its folder tells: enough to end what still runs of it. */
  public static Pod pod(PodRecord record, Path folder) throws IOException {
    List<Container> containers = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().equals("volumes")) {
          containers.add(
              new ContainerBuilder()
                  .withName(entry.getFileName().toString())
                  .withImage("gone")
                  .build());
        }
      }
    }
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(record.namespace())
        .withName(record.name())
        .withUid(record.uid())
        .endMetadata()
        .withNewSpec()
        .withContainers(containers)
        .endSpec()
        .build();
  }

  /** Deletes a pod's folder but keeps its logs for a while, of the last fifty pods. */
  public static void archive(Path folder, Path ended) throws IOException {
    Path kept = ended.resolve(folder.getFileName().toString());
    try (DirectoryStream<Path> containers = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path container : containers) {
        try (DirectoryStream<Path> attempts = Files.newDirectoryStream(container, "[0-9]*")) {
          for (Path attempt : attempts) {
            Path log = attempt.resolve("log");
            if (Files.exists(log)) {
              Files.createDirectories(kept);
              String name = container.getFileName() + "-" + attempt.getFileName() + ".log";
              Files.move(log, kept.resolve(name));
            }
          }
        }
      }
    }
    Trees.delete(folder);
    prune(ended);
  }

  private static void prune(Path ended) throws IOException {
    if (!Files.isDirectory(ended)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(ended)) {
      folders.forEach(all::add);
    }
    all.sort(Comparator.comparing(path -> path.toFile().lastModified()));
    for (Path old : all.subList(0, Math.max(0, all.size() - KEPT))) {
      Trees.delete(old);
    }
  }
}
