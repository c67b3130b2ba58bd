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
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The pods that the node has taken, with their folders and addresses. */
public final class PodHouse {
  private final StateFolder state;
  private final Addresses addresses;
  private final PodTools tools;
  private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();

  public PodHouse(StateFolder state, Addresses addresses, PodTools tools) {
    this.state = state;
    this.addresses = addresses;
    this.tools = tools;
  }

  /** Takes up what an earlier node has left; its processes run on. */
  public void adopt() throws IOException {
    for (PodRecord.Kept kept : PodRecord.readAll(state.pods())) {
      PodRecord record = kept.record();
      dropUnlaunched(kept.folder());
      addresses.occupy(record.ip(), record.uid());
      workers.put(record.uid(), new PodWorker(record, kept.folder(), tools));
    }
  }

  /** Takes a pod that is bound to this node, or finds it. */
  public PodWorker take(Pod pod) throws IOException {
    String uid = pod.getMetadata().getUid();
    PodWorker known = workers.get(uid);
    if (known != null) {
      return known;
    }
    String ip = addresses.take(uid);
    PodRecord record =
        new PodRecord(
            pod.getMetadata().getNamespace(),
            pod.getMetadata().getName(),
            uid,
            ip,
            tools.clock().millis());
    Path folder = state.pods().resolve(record.folderName());
    Files.createDirectories(folder);
    record.write(folder);
    PodWorker worker = new PodWorker(record, folder, tools);
    workers.put(uid, worker);
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

  /** Forgets a pod of which nothing runs any more. */
  public void release(PodWorker worker) throws IOException {
    String uid = worker.record().uid();
    Departed.archive(worker.folder(), state.ended());
    Files.deleteIfExists(state.events().resolve(uid));
    tools.images().forget(uid);
    workers.remove(uid);
    addresses.giveBack(worker.record().ip());
  }

  /** A start that the earlier node noted and did not live to make. */
  private static void dropUnlaunched(Path folder) throws IOException {
    try (DirectoryStream<Path> containers = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path container : containers) {
        try (DirectoryStream<Path> attempts = Files.newDirectoryStream(container, "[0-9]*")) {
          for (Path dir : attempts) {
            if (!new Attempt(dir, 0).claimed()) {
              Trees.delete(dir);
            }
          }
        }
      }
    }
  }
}
