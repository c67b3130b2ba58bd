package dev.sluice.local.node;

import dev.sluice.local.node.image.ImageCatalogue;
import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.image.ProcessImages;
import dev.sluice.local.node.logs.KubeletServer;
import dev.sluice.local.node.logs.SelfSigned;
import dev.sluice.local.node.pod.ContainerStarts;
import dev.sluice.local.node.pod.PodApi;
import dev.sluice.local.node.pod.PodDecision;
import dev.sluice.local.node.pod.PodHouse;
import dev.sluice.local.node.pod.PodWorker;
import dev.sluice.local.node.service.HostsFiles;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's parts, put together; {@link #start} sets them going. */
public final class NodeProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

  /** As often as a kubelet. */
  private static final int LEASE_SECONDS = 10;

  /** Finds what no file event told: a wrapper that was killed. */
  private static final int SWEEP_SECONDS = 5;

  private final NodeSettings settings;
  private final KubernetesClient client;
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final ThreadPoolExecutor pods = pool(4);
  private final ThreadPoolExecutor probes = pool(4);
  private final ThreadPoolExecutor images = pool(1);
  private final WatchService ends;
  private final PodHouse house;
  private final LocalNode node;
  private final Registration registration;
  private final KubeletServer server;

  /**
   * @param client talks to the API server as the node; closed by the caller
   * @throws IOException when the folder cannot be used or a port is taken
   */
  public NodeProcess(NodeSettings settings, KubernetesClient client, Clock clock)
      throws IOException, GeneralSecurityException, InterruptedException {
    this.settings = settings;
    this.client = client;
    timer.setRemoveOnCancelPolicy(true);
    StateFolder state = settings.state();
    state.layOut();
    ends = state.root().getFileSystem().newWatchService();
    Worklist worklist = new Worklist(pods, timer, clock, this::work);
    HostsFiles hosts = new HostsFiles(state.hosts(), state.pods(), settings.addresses().nobody());
    PodApi api = new PodApi(client, settings.name());
    PodWorker.Shared shared =
        new PodWorker.Shared(
            api,
            new PodDecision(settings.backOff(), clock.instant()),
            new ContainerStarts(client, state, hosts, environment()),
            new Images(catalogues(), state.refusedImages()),
            images,
            timer,
            probes,
            worklist::add,
            clock);
    house = new PodHouse(state, settings.addresses(), shared);
    node = new LocalNode(settings.name(), house, api, hosts, worklist);
    registration = new Registration(client, settings.name(), settings.kubeletPort(), clock);
    server =
        new KubeletServer(
            settings.kubeletPort(),
            SelfSigned.context(state.keyStore()),
            house::folder,
            registration::registered,
            clock);
  }

  /** None of its threads belongs to a pod; idle ones go away. */
  private static ThreadPoolExecutor pool(int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private List<ImageCatalogue> catalogues() {
    List<ImageCatalogue> all = new ArrayList<>();
    all.add(new ProcessImages(settings.images()));
    ServiceLoader.load(ImageCatalogue.class).forEach(all::add);
    return all;
  }

  private Map<String, String> environment() {
    Map<String, String> env = new HashMap<>(settings.inherited());
    env.put("MALLOC_ARENA_MAX", "2"); // glibc's arenas cost a JVM tens of MB
    return env;
  }

  private void work(String key) throws IOException, InterruptedException {
    node.work(key);
  }

  /** Takes up the pods there are and begins to watch. */
  public void start() throws IOException {
    house.adopt();
    settings
        .state()
        .events()
        .register(ends, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    Thread thread = new Thread(this::hearOfEnds, "file-events");
    thread.setDaemon(true);
    thread.start();
    pods.execute(this::register);
    every(LEASE_SECONDS, this::renew);
    every(SWEEP_SECONDS, node::addAll);
  }

  /** The wrapper of a container writes a file named like the pod's uid when something happens. */
  private void hearOfEnds() {
    try {
      while (true) {
        WatchKey key = ends.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          if (event.context() instanceof Path name) {
            node.look(name.toString());
          } else {
            node.addAll(); // some events were lost
          }
        }
        key.reset();
      }
    } catch (ClosedWatchServiceException | InterruptedException e) {
      Thread.currentThread().interrupt(); // the node ends
    }
  }

  private void every(int seconds, Runnable task) {
    timer.scheduleWithFixedDelay(() -> pods.execute(task), seconds, seconds, TimeUnit.SECONDS);
  }

  /** Registers the node, sooner or later, and then watches. */
  private void register() {
    try {
      registration.register();
      LocalNode.watch(
          client.nodes().withField("metadata.name", settings.name()), registration::changed);
      node.watch(client);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The API server does not take the node yet: {}", e.getMessage());
      timer.schedule(() -> pods.execute(this::register), 500, TimeUnit.MILLISECONDS);
    }
  }

  private void renew() {
    try {
      if (registration.registered()) {
        registration.renew();
      }
    } catch (RuntimeException e) {
      LOG.warn("The node's lease was not renewed: {}", e.getMessage());
    }
  }

  /** Ends the node; the pods' processes run on. */
  @Override
  public void close() {
    List.of(timer, pods, probes, images).forEach(ThreadPoolExecutor::shutdownNow);
    server.close();
    client.close();
  }
}
