package dev.sluice.local.node.pod;

import dev.sluice.local.node.volume.PlacedFile;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the node remembers of a pod it has taken.
 *
 * @param pod the pod as it was then: enough to end what still runs of it when the API server has it
 *     no more
 * @param ip the pod's address
 * @param admittedMillis when it was taken, in milliseconds since 1970
 */
public record PodRecord(Pod pod, String ip, long admittedMillis) {
  private static final String FILE = "pod.json";

  /** The pod's namespace. */
  public String namespace() {
    return pod.getMetadata().getNamespace();
  }

  /** The pod's name. */
  public String name() {
    return pod.getMetadata().getName();
  }

  /** The pod's uid: a pod of the same name later is another one. */
  public String uid() {
    return pod.getMetadata().getUid();
  }

  /**
   * Its folder: readable, and never that of an earlier pod of the same name.
   *
   * @param pods the folder of all pods
   */
  public Path folder(Path pods) {
    String start = uid().substring(0, Math.min(8, uid().length()));
    return pods.resolve(namespace() + "_" + name() + "_" + start);
  }

  /** Remembers it in its folder. */
  void write(Path pods) throws IOException {
    byte[] json = Serialization.asJson(this).getBytes(StandardCharsets.UTF_8);
    PlacedFile.write(folder(pods).resolve(FILE), json, 0600);
  }

  /** All pods in the folder of pods; a folder whose record is missing is left out. */
  public static List<PodRecord> readAll(Path pods) throws IOException {
    List<PodRecord> all = new ArrayList<>();
    if (Files.isDirectory(pods)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(pods)) {
        for (Path folder : folders) {
          Path file = folder.resolve(FILE);
          if (Files.isRegularFile(file)) {
            all.add(Serialization.unmarshal(Files.readString(file), PodRecord.class));
          }
        }
      }
    }
    return all;
  }
}
