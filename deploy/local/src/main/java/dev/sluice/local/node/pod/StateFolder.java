package dev.sluice.local.node.pod;

import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The node's folder: everything it must remember when it is killed.
 *
 * @param root the folder
 */
public record StateFolder(Path root) {
  private static final String RECORD = "pod.json";

  private static final int KEPT = 50;

  /** One folder per pod that the node has. */
  public Path pods() {
    return root.resolve("pods");
  }

  /** A file per pod, named like its uid, that its containers write when they start or end. */
  public Path events() {
    return root.resolve("events");
  }

  Path wrapper() {
    return root.resolve("container.sh");
  }

  /** Makes the folders, for this user only, and the script. */
  public void create() throws IOException {
    for (Path folder : new Path[] {root, pods(), events()}) {
      Trees.createPrivateFolder(folder);
    }
    Attempt.writeWrapper(wrapper());
  }

  /** A pod's folder: readable, and never that of an earlier pod of the same name. */
  public Path folder(PodRecord pod) {
    String start = pod.uid().substring(0, Math.min(8, pod.uid().length()));
    return pods().resolve(pod.name().replace('/', '_') + "_" + start);
  }

  void write(PodRecord pod) throws IOException {
    byte[] json = Serialization.asJson(pod).getBytes(StandardCharsets.UTF_8);
    Trees.write(folder(pod).resolve(RECORD), json, 0600);
  }

  public List<PodRecord> records() throws IOException {
    List<PodRecord> all = new ArrayList<>();
    for (Path folder : Trees.list(pods(), "*")) {
      Path file = folder.resolve(RECORD);
      if (Files.isRegularFile(file)) {
        all.add(Serialization.unmarshal(Files.readString(file), PodRecord.class));
      }
    }
    return all;
  }

  List<Attempt> attempts(PodRecord pod) throws IOException {
    List<Attempt> all = new ArrayList<>();
    for (Container container : PodView.containers(pod.pod())) {
      all.addAll(Attempt.all(folder(pod).resolve(container.getName())));
    }
    return all;
  }

  /** Forgets a pod of which nothing runs any more; its logs are kept for a while. */
  void archive(PodRecord pod) throws IOException {
    Path ended = root.resolve("ended");
    Path kept = ended.resolve(folder(pod).getFileName().toString());
    for (Attempt attempt : attempts(pod)) {
      if (Files.exists(attempt.log())) {
        Files.createDirectories(kept);
        Path container = folder(pod).relativize(attempt.dir()).getName(0);
        Files.move(attempt.log(), kept.resolve(container + "-" + attempt.number() + ".log"));
      }
    }
    Trees.delete(folder(pod));
    Files.deleteIfExists(events().resolve(pod.uid()));
    List<Path> all = Trees.list(ended, "*");
    all.sort(Comparator.comparing(path -> path.toFile().lastModified()));
    for (Path old : all.subList(0, Math.max(0, all.size() - KEPT))) {
      Trees.delete(old);
    }
  }
}
