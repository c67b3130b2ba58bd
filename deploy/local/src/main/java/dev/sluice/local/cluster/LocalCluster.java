package dev.sluice.local.cluster;

import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.node.NodeMain;
import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.os.Resources;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.FileMutex;
import dev.sluice.local.parts.PartsException;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A cluster on this machine. All that is known of it is in its home folder. Any process may operate
 * it; a lock admits one at a time.
 */
public final class LocalCluster {
  /**
   * How a part is.
   *
   * @param pid 0 when it does not run
   */
  public record PartStatus(PartName name, Part.State state, long pid) {

    public boolean isReady() {
      return state == Part.State.READY || state == Part.State.OUTDATED;
    }
  }

  /** The binaries that a cluster consists of, and is operated with. */
  private static final Set<Tool> TOOLS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Tool.HELM)));

  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration SECOND_CHANCE = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ClusterConfig config;
  private final Progress progress;
  private final Operator operator;
  private final Application node;
  private final Map<PartName, Part> parts = new EnumMap<>(PartName.class);

  private LocalCluster(ClusterConfig config, Progress progress) {
    this.config = config;
    this.progress = progress;
    this.operator = new Operator(config, progress);
    this.node =
        Application.built(config.root(), "deploy/local", NodeMain.class.getName())
            .orElseThrow(
                () -> new ClusterException("the node is not built: run 'mvn package' first"));
    for (Part.Spec spec : new PartSpecs(config).all(node)) {
      parts.put(spec.name(), new Part(spec, config));
    }
  }

  /** The cluster that is, or will be, in the configured home. Starts nothing. */
  public static LocalCluster of(ClusterConfig config, Progress progress) {
    return new LocalCluster(config, progress);
  }

  public ClusterConfig config() {
    return config;
  }

  public Part part(PartName name) {
    return Objects.requireNonNull(parts.get(name));
  }

  public Kubectl kubectl() {
    return new Kubectl(config);
  }

  /**
   * Starts what does not run, restarts what does not answer or is out of date, installs Sluice, and
   * returns when all is ready. Doing it twice is harmless.
   *
   * @throws ClusterException when something stays in the way; what runs is left running
   */
  public void up() {
    PartsProvider.of(config.cache(), config.root(), progress).provide(TOOLS);
    locked(
        () -> {
          writeFiles();
          endStrays();
          ensureStarted(PartName.ETCD);
          ensureStarted(PartName.TEMPORAL);
          awaitReady(PartName.ETCD);
          ensureStarted(PartName.KUBE_APISERVER);
          awaitReady(PartName.KUBE_APISERVER);
          ensureStarted(PartName.KUBE_CONTROLLER_MANAGER);
          operator.grantNodeRights();
          ensureStarted(PartName.NODE);
          awaitReady(PartName.TEMPORAL);
          operator.install();
          awaitReady(PartName.KUBE_CONTROLLER_MANAGER);
          awaitReady(PartName.NODE);
          operator.awaitAvailable(READY_TIMEOUT);
        });
  }

  /**
   * Makes the next start of Flink and of our own programs quicker, in the background, once the
   * cluster is up. A failure has no other effect than a slower start.
   */
  public void buildClassArchives() {
    buildClassArchives(applications());
  }

  /** Of Flink alone: for those who start our own programs too seldom. */
  public void buildFlinkArchives() {
    buildClassArchives(List.of());
  }

  private void buildClassArchives(List<Application> own) {
    locked(
        () -> {
          var archives = new ArrayList<>(new FlinkImages(config.cache(), progress).classArchives());
          own.forEach(it -> archives.add(it.classArchive(config.home())));
          for (ClassArchive archive : archives) {
            archive.beginMaking(Map.of(NodeSettings.CLUSTER_MARK, config.home().toString()));
          }
        });
  }

  /** Ends every process of the cluster. What it knows stays for the next {@link #up()}. */
  public void down() {
    locked(this::stopAll);
  }

  /**
   * Ends it and forgets all it knows: Kubernetes' objects, Temporal's histories, logs, credentials.
   * The cache stays, and so does a folder that never was a cluster's.
   */
  public void reset() {
    locked(
        () -> {
          stopAll();
          if (config.isSaved()) {
            Trees.delete(config.home());
          }
        });
  }

  public List<PartStatus> status() {
    List<PartStatus> all = new ArrayList<>();
    for (Part part : parts.values()) {
      Part.State state = part.state();
      boolean silent = state == Part.State.OUTDATED && !part.isReady();
      long pid = part.pid().orElse(0L);
      all.add(new PartStatus(part.name(), silent ? Part.State.UNREADY : state, pid));
    }
    return all;
  }

  /** Every pod, as kubectl lists them; empty without an API server. */
  public String pods() {
    return part(PartName.KUBE_APISERVER).isReady()
        ? kubectl().run("get", "pods", "--all-namespaces").output()
        : "";
  }

  public List<Operator.Program> programs() {
    return operator.programs();
  }

  private void writeFiles() throws IOException {
    config.save();
    Trees.createPrivateFolder(config.home().resolve("data"));
    new Credentials(config).writeFiles();
    Wrappers.writeFiles(config);
    Trees.writePrivate(
        config.auditPolicy(), Resources.text(LocalCluster.class, "audit-policy.yaml"));
    Application.stage(config.home(), applications());
    operator.writeImages();
  }

  private List<Application> applications() {
    List<Application> applications = new ArrayList<>(operator.applications());
    applications.add(node);
    return applications;
  }

  /** Parts and pods whose records were lost would hold the ports of their successors. */
  private void endStrays() {
    MarkedProcesses marked = new MarkedProcesses(config.home());
    List<Long> known = parts.values().stream().flatMap(part -> part.pid().stream()).toList();
    if (!marked.strays(known).isEmpty()) {
      MarkedProcesses.end(() -> marked.strays(known), GRACE);
      parts.values().stream().filter(part -> !part.isAlive()).forEach(Part::awaitPorts);
    }
  }

  /** Starts or restarts a part where that is needed; what it depends on is ready by now. */
  private void ensureStarted(PartName name) throws IOException {
    Part part = part(name);
    Part.State state = stateAfterGrace(part);
    switch (state) {
      case READY -> {}
      case STOPPED -> start(part);
      case OUTDATED, UNREADY -> {
        String why = state == Part.State.OUTDATED ? "is out of date" : "does not answer";
        progress.say("       %s %s: restarting it".formatted(name, why));
        part.stop(GRACE);
        start(part);
      }
    }
  }

  /** One that has just lost what it depends on answers again when that is back. */
  private static Part.State stateAfterGrace(Part part) {
    Part.State first = part.state();
    if (first != Part.State.UNREADY) {
      return first;
    }
    Poll.until(SECOND_CHANCE, part::problem);
    return part.state();
  }

  private void start(Part part) throws IOException {
    if (part.name() == PartName.KUBE_APISERVER) {
      new Credentials(config).removeOldCertificate(Instant.now());
    }
    part.start();
  }

  /** Waits for a part that was begun; says nothing of one that was ready all along. */
  private void awaitReady(PartName name) {
    Part part = part(name);
    if (part.isReady()) {
      return;
    }
    try (Progress.Step step = progress.begin("starting " + name)) {
      part.awaitReady(READY_TIMEOUT);
      step.done("ready");
    }
  }

  private void stopAll() {
    MarkedProcesses marked = new MarkedProcesses(config.home());
    part(PartName.NODE).stop(GRACE);
    MarkedProcesses.end(marked::pods, GRACE);
    List<Part> others = new ArrayList<>(parts.values());
    others.removeIf(part -> part.name() == PartName.ETCD || !part.isAlive());
    others.forEach(Part::terminate);
    others.forEach(part -> part.awaitEnd(GRACE));
    part(PartName.ETCD).stop(GRACE);
    MarkedProcesses.end(marked::all, GRACE);
  }

  private interface Work {
    void run() throws IOException;
  }

  private void locked(Work work) {
    Path lock = config.home().resolveSibling(config.home().getFileName() + ".lock");
    try (FileMutex mutex =
        FileMutex.take(lock, () -> progress.say("another sluice command is at work: waiting"))) {
      work.run();
    } catch (IOException e) {
      throw ClusterException.unusable(config.home(), e);
    } catch (UncheckedIOException e) {
      IOException cause = e.getCause();
      throw cause != null && PartsException.saysFullDisk(cause.getMessage())
          ? ClusterException.unusable(config.home(), cause)
          : e;
    }
  }
}
