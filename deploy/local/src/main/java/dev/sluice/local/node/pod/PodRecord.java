package dev.sluice.local.node.pod;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the node remembers of a pod it has taken.
 *
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param uid the pod's uid: a pod of the same name later is another one
 * @param ip the pod's address
 * @param admittedMillis when it was taken, in milliseconds since 1970
 */
public record PodRecord(String namespace, String name, String uid, String ip, long admittedMillis) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FILE = "pod.json";

  /**
   * A pod and its folder.
   *
   * @param folder a folder in the folder of all pods
   */
  public record Kept(PodRecord record, Path folder) {}

  /** When it was taken. */
  public Instant admitted() {
    return Instant.ofEpochMilli(admittedMillis);
  }

  /** The name of its folder: readable, and never that of an earlier pod of the same name. */
  public String folderName() {
    return namespace + "_" + name + "_" + uid.substring(0, Math.min(8, uid.length()));
  }

  /** Remembers it in its folder. */
  public void write(Path folder) throws IOException {
    PlacedFile.write(folder.resolve(FILE), JSON.writeValueAsBytes(this), 0600);
  }

  /** All pods in the folder of pods; a folder whose record is missing is left out. */
  public static List<Kept> readAll(Path pods) throws IOException {
    List<Kept> all = new ArrayList<>();
    if (Files.isDirectory(pods)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(pods)) {
        for (Path folder : folders) {
          Path file = folder.resolve(FILE);
          if (Files.isRegularFile(file)) {
            all.add(new Kept(JSON.readValue(Files.readAllBytes(file), PodRecord.class), folder));
          }
        }
      }
    }
    return all;
  }
}
