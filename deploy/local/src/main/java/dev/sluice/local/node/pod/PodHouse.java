package dev.sluice.local.node.pod;

import dev.sluice.local.node.StateFolder;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.service.Addresses;
import dev.sluice.local.node.volume.Trees;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The pods that the node has taken, with their folders and addresses. */
public final class PodHouse {
  /** Of how many ended pods the logs are kept. */
  private static final int KEPT = 50;

  private final StateFolder state;
  private final Addresses addresses;
  private final PodWorker.Shared shared;
  private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();

  public PodHouse(StateFolder state, Addresses addresses, PodWorker.Shared shared) {
    this.state = state;
    this.addresses = addresses;
    this.shared = shared;
  }

  /** Takes up what an earlier node has left; its processes run on. */
  public void adopt() throws IOException {
    for (PodRecord record : PodRecord.readAll(state.pods())) {
      for (Attempt attempt : attempts(record.folder(state.pods()))) {
        if (!attempt.claimed()) {
          Trees.delete(attempt.dir()); // a start that the earlier node did not live to make
        }
      }
      addresses.occupy(record.ip());
      worker(record);
    }
  }

  /** Takes a pod that is bound to this node. */
  public PodWorker take(Pod pod) throws IOException {
    PodRecord record = new PodRecord(pod, addresses.take(), shared.clock().millis());
    record.write(state.pods());
    return worker(record);
  }

  private PodWorker worker(PodRecord record) {
    PodWorker worker = new PodWorker(record, record.folder(state.pods()), shared);
    workers.put(record.uid(), worker);
    return worker;
  }

  /** The pod of that uid; null when the node has not taken it. */
  public @Nullable PodWorker get(String uid) {
    return workers.get(uid);
  }

  /** All uids. */
  public Set<String> uids() {
    return Set.copyOf(workers.keySet());
  }

  /** The folder of the newest pod of that name. */
  public Optional<Path> folder(String namespace, String name) {
    return workers.values().stream()
        .filter(w -> w.record().namespace().equals(namespace) && w.record().name().equals(name))
        .max(Comparator.comparingLong(w -> w.record().admittedMillis()))
        .map(PodWorker::folder);
  }

  /** Forgets a pod of which nothing runs any more; its logs are kept for a while. */
  public void release(PodWorker worker) throws IOException {
    archive(worker.folder());
    Files.deleteIfExists(state.events().resolve(worker.record().uid()));
    workers.remove(worker.record().uid());
    addresses.giveBack(worker.record().ip());
  }

  private void archive(Path folder) throws IOException {
    Path kept = state.ended().resolve(folder.getFileName().toString());
    for (Attempt attempt : attempts(folder)) {
      if (Files.exists(attempt.log())) {
        Files.createDirectories(kept);
        Path container = folder.relativize(attempt.dir()).getName(0);
        Files.move(attempt.log(), kept.resolve(container + "-" + attempt.number() + ".log"));
      }
    }
    Trees.delete(folder);
    List<Path> all = new ArrayList<>(children(state.ended(), "*"));
    all.sort(Comparator.comparing(path -> path.toFile().lastModified()));
    for (Path old : all.subList(0, Math.max(0, all.size() - KEPT))) {
      Trees.delete(old);
    }
  }

  private static List<Attempt> attempts(Path podFolder) throws IOException {
    List<Attempt> attempts = new ArrayList<>();
    for (Path container : children(podFolder, "*")) {
      for (Path dir : children(container, "[0-9]*")) {
        attempts.add(new Attempt(dir, Integer.parseInt(dir.getFileName().toString())));
      }
    }
    return attempts;
  }

  private static List<Path> children(Path folder, String glob) throws IOException {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
        entries.forEach(children::add);
      }
    }
    return children;
  }
}
