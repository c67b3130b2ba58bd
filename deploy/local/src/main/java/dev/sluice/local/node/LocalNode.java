package dev.sluice.local.node;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.flink.FlinkRelease;
import dev.sluice.local.node.container.Images;
import dev.sluice.local.node.pod.PodApi;
import dev.sluice.local.node.pod.PodRecord;
import dev.sluice.local.node.pod.PodWorker;
import dev.sluice.local.node.pod.StateFolder;
import dev.sluice.local.node.pod.WakeLoop;
import dev.sluice.local.node.service.HostsFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's parts, put together, and what they hear of: pods and Services from the API server, and
 * containers that start or end.
 */
public final class LocalNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);

  /** Finds what no file event told: a wrapper that was killed. */
  private static final int SWEEP_SECONDS = 5;

  private final NodeSettings settings;
  private final KubernetesClient client;
  // none of their threads belongs to a pod
  private final ScheduledThreadPoolExecutor work = pool(4);
  private final ScheduledThreadPoolExecutor probes = pool(4);
  private final ScheduledThreadPoolExecutor pulls = pool(1);
  private final WatchService events;
  private final PodWorker.Shared shared;
  private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();
  private final SharedIndexInformer<Pod> pods;
  private final SharedIndexInformer<Service> services;
  private final WakeLoop hosts;
  private final Registration registration;
  private final KubeletServer server;
  private volatile Instant renewed = Instant.EPOCH;

  /**
   * @param client talks to the API server as the node; closed with the node
   * @throws IOException when the folder cannot be used or a port is taken
   */
  public LocalNode(NodeSettings settings, KubernetesClient client, Clock clock)
      throws IOException, GeneralSecurityException, InterruptedException {
    this.settings = settings;
    this.client = client;
    StateFolder state = settings.state();
    state.create();
    Path home = state.root();
    events = home.getFileSystem().newWatchService();
    HostsFiles files = new HostsFiles(state.pods(), settings.addresses().unused());
    FlinkImages flink = new FlinkImages();
    shared =
        new PodWorker.Shared(
            new PodApi(client, settings.name()),
            state,
            settings.addresses(),
            files,
            new Images(settings.images(), flink::pull, FlinkRelease.images()),
            settings.inherited(),
            work,
            probes,
            pulls,
            clock,
            settings.longestDelay());
    pods = informer(client.pods().inAnyNamespace());
    services = informer(client.services().inAnyNamespace());
    hosts = new WakeLoop("Names of Services", work, () -> writeNames(files));
    registration = new Registration(client, settings.name(), settings.kubeletPort(), clock);
    server =
        new KubeletServer(
            settings.kubeletPort(),
            SelfSigned.context(home.resolve("certificate.p12")),
            this::folder,
            () -> clock.instant().isBefore(renewed.plusSeconds(40)));
  }

  private static ScheduledThreadPoolExecutor pool(int size) {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(size);
    pool.setRemoveOnCancelPolicy(true);
    return pool;
  }

  /** Hears of all there are, and goes on trying for as long as the process lives. */
  private <T extends HasMetadata> SharedIndexInformer<T> informer(Informable<T> all) {
    SharedIndexInformer<T> informer = all.runnableInformer(0);
    informer.exceptionHandler(
        (started, e) -> {
          LOG.warn("Watching failed, trying again: {}", e.getMessage());
          return true;
        });
    return informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(T object) {
            seen(object, false);
          }

          @Override
          public void onUpdate(T before, T after) {
            seen(after, false);
          }

          @Override
          public void onDelete(T object, boolean unknownFinalState) {
            seen(object, true);
          }
        });
  }

  private void seen(HasMetadata object, boolean gone) {
    if (object instanceof Pod pod) {
      String uid = pod.getMetadata().getUid();
      workers.computeIfAbsent(uid, key -> new PodWorker(pod, shared)).seen(pod, gone);
    }
    hosts.wake();
  }

  private Optional<Duration> writeNames(HostsFiles files) throws IOException {
    if (services.hasSynced() && pods.hasSynced()) {
      files.write(services.getStore().list(), pods.getStore().list());
    }
    return Optional.empty();
  }

  private Optional<Path> folder(String namespace, String name) {
    return workers.values().stream()
        .flatMap(worker -> worker.record().stream())
        .filter(record -> record.name().equals(namespace + "/" + name))
        .max(Comparator.comparingLong(PodRecord::admittedMillis))
        .map(settings.state()::folder);
  }

  /** Takes up the pods there are and begins to watch. */
  public void start() throws IOException {
    for (PodRecord record : settings.state().records()) {
      workers.put(record.uid(), PodWorker.adopt(record, shared));
    }
    settings.state().events().register(events, ENTRY_CREATE, ENTRY_MODIFY);
    Thread thread = new Thread(this::hearOfContainers, "file-events");
    thread.setDaemon(true);
    thread.start();
    new WakeLoop("Registration", work, this::register).wake();
    work.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /** The wrapper of a container writes a file named like the pod's uid when something happens. */
  private void hearOfContainers() {
    try {
      while (true) {
        WatchKey key = events.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          PodWorker worker = workers.get(String.valueOf(event.context()));
          if (worker != null) {
            worker.wake();
          } else {
            sweep(); // some events were lost
          }
        }
        key.reset();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the node ends
    }
  }

  private void sweep() {
    workers.values().removeIf(PodWorker::forgotten);
    workers.values().forEach(PodWorker::wake);
  }

  /** Registers the node again and again, and watches from the first time on. */
  private Optional<Duration> register() throws IOException {
    registration.renew();
    boolean first = renewed.equals(Instant.EPOCH);
    renewed = shared.clock().instant();
    if (first) {
      LOG.info("Node {} is registered, logs at port {}", settings.name(), settings.kubeletPort());
      services.start().thenCompose(started -> pods.start()).thenRun(this::synced);
    }
    return Optional.of(Registration.EVERY);
  }

  /** With all pods seen that there are, others that the node has are gone. */
  private void synced() {
    hosts.wake();
    Set<String> there =
        pods.getStore().list().stream()
            .map(pod -> pod.getMetadata().getUid())
            .collect(Collectors.toSet());
    workers.forEach(
        (uid, worker) -> {
          if (!there.contains(uid)) {
            worker.missing();
          }
        });
  }

  /** Ends the node; the pods' processes run on. */
  @Override
  public void close() {
    List.of(work, probes, pulls).forEach(ExecutorService::shutdownNow);
    server.close();
    client.close();
  }
}
