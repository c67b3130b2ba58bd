package dev.sluice.local.node;

import dev.sluice.local.node.fault.FaultFiles;
import dev.sluice.local.node.fault.FaultState;
import dev.sluice.local.node.image.ImageCatalogue;
import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.image.ProcessImages;
import dev.sluice.local.node.logs.KubeletServer;
import dev.sluice.local.node.logs.SelfSigned;
import dev.sluice.local.node.loop.FileEvents;
import dev.sluice.local.node.loop.Worklist;
import dev.sluice.local.node.pod.PodApi;
import dev.sluice.local.node.pod.PodDecision;
import dev.sluice.local.node.pod.PodEvents;
import dev.sluice.local.node.pod.PodHouse;
import dev.sluice.local.node.pod.PodTools;
import dev.sluice.local.node.pod.Starts;
import dev.sluice.local.node.probe.Probes;
import dev.sluice.local.node.process.Launcher;
import dev.sluice.local.node.proxy.Proxy;
import dev.sluice.local.node.register.NodeObject;
import dev.sluice.local.node.register.Registration;
import dev.sluice.local.node.service.HostsFile;
import dev.sluice.local.node.service.ServiceAddresses;
import dev.sluice.local.node.service.Services;
import dev.sluice.local.node.token.Kubeconfig;
import dev.sluice.local.node.token.PodTokens;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
  private final Threads threads = Threads.create();
  private final Worklist worklist;
  private final Proxy proxy = new Proxy();
  private final Services services;
  private final PodHouse house;
  private final LocalNode node;
  private final Registration registration;
  private final KubeletServer server;
  private @Nullable FileEvents fileEvents;
  private @Nullable Watching watching;

  /**
   * @param client talks to the API server as the node; closed by the caller
   * @throws IOException when the folder cannot be used or a port is taken
   */
  public NodeProcess(NodeSettings settings, KubernetesClient client, Clock clock)
      throws IOException, GeneralSecurityException, InterruptedException {
    this.settings = settings;
    this.client = client;
    StateFolder state = settings.state();
    state.layOut();
    worklist = new Worklist(threads.pods(), threads.timer(), clock);
    FaultState faults = new FaultState(new FaultFiles(state.faults()));
    faults.read();
    HostsFile hosts = new HostsFile(state.hosts(), state.pods());
    services =
        new Services(
            new ServiceAddresses(settings.network().services(), state.services()), hosts, proxy);
    Map<String, Quantity> capacity = Capacity.ofThisMachine();
    PodApi api = new PodApi(client, settings.name());
    PodTools tools = tools(api, hosts, faults, capacity, clock);
    house = new PodHouse(state, settings.network().pods(), tools);
    node = new LocalNode(settings.name(), house, api, services, faults, worklist);
    registration =
        new Registration(
            client, new NodeObject(settings.name(), settings.kubeletPort(), capacity), clock);
    server =
        new KubeletServer(
            settings.kubeletPort(),
            SelfSigned.context(state.keyStore()),
            house::folder,
            registration::registered,
            clock);
  }

  private PodTools tools(
      PodApi api, HostsFile hosts, FaultState faults, Map<String, Quantity> capacity, Clock clock)
      throws IOException {
    StateFolder state = settings.state();
    Images images =
        new Images(
            catalogues(), image -> faults.current().refusesImage(image), threads.images(), clock);
    PodTokens tokens = new PodTokens(Kubeconfig.of(client.getConfiguration()));
    Starts starts =
        new Starts(
            client,
            images,
            tokens,
            new Launcher(state.wrapper(), state.events()),
            hosts,
            pod -> faults.current().refuses(pod),
            environment(),
            capacity);
    return new PodTools(
        client,
        api,
        new PodEvents(client, settings.name(), threads.events(), clock),
        new PodDecision(settings.backOff(), clock.instant()),
        starts,
        images,
        new Probes(threads.timer(), threads.probes(), clock, worklist::add),
        tokens,
        worklist::add,
        clock);
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

  /** Takes up the pods there are and begins to watch. */
  public void start() throws IOException {
    house.adopt();
    worklist.serve(node);
    worklist.add(LocalNode.FAULTS);
    fileEvents = fileEvents();
    fileEvents.start();
    threads.timer().execute(() -> threads.pods().execute(this::register));
    every(LEASE_SECONDS, this::renew);
    every(SWEEP_SECONDS, node::addAll);
  }

  private FileEvents fileEvents() throws IOException {
    StateFolder state = settings.state();
    FileEvents events = new FileEvents(state.root());
    events.watch(state.events(), FileEvents.listener(worklist::add, node::addAll));
    events.watch(
        state.faults(),
        FileEvents.listener(
            name -> {
              if (name.equals("faults.json")) {
                worklist.add(LocalNode.FAULTS);
              }
            },
            () -> worklist.add(LocalNode.FAULTS)));
    return events;
  }

  private void every(int seconds, Runnable task) {
    threads
        .timer()
        .scheduleWithFixedDelay(
            () -> threads.pods().execute(task), seconds, seconds, TimeUnit.SECONDS);
  }

  /** Registers the node, sooner or later, and then watches. */
  private void register() {
    try {
      registration.register();
      watching = new Watching(client, settings.name(), node, services, registration, worklist);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The API server does not take the node yet: {}", e.getMessage());
      threads
          .timer()
          .schedule(() -> threads.pods().execute(this::register), 500, TimeUnit.MILLISECONDS);
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
  public void close() throws IOException {
    threads.close();
    server.close();
    if (watching != null) {
      watching.close();
    }
    if (fileEvents != null) {
      fileEvents.close();
    }
    proxy.close();
  }
}
