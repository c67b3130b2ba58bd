package dev.sluice.local.cluster;

import dev.sluice.local.jvm.Java;
import dev.sluice.local.node.service.PodNetwork;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * Where one cluster lives.
 *
 * @param home its state folder: everything it keeps is below it
 * @param ports on 127.0.0.1
 * @param podNetwork first three numbers of the pods' loopback addresses, such as {@code 127.0.1}
 * @param cache binaries and Flink homes, shared with other clusters
 * @param root the Sluice repository: manifests, CRDs and what Maven built
 * @param java of controller and worker
 */
public record ClusterConfig(
    Path home, Ports ports, String podNetwork, CacheDirectory cache, Path root, Java java) {
  private static final String SAVED = "cluster.properties";

  static final String HOME = "SLUICE_HOME";
  static final String PORT_BASE = "SLUICE_PORT_BASE";
  static final String POD_NETWORK = "SLUICE_POD_NETWORK";
  static final String JAVA = "SLUICE_JAVA";

  public ClusterConfig {
    home = real(home);
    try {
      PodNetwork.of(podNetwork);
    } catch (IllegalArgumentException e) {
      throw new ClusterException(String.valueOf(e.getMessage()), e);
    }
  }

  /** A cluster in {@code home}, apart from any other; for tests. */
  public static ClusterConfig at(Path home, int portBase) {
    return new ClusterConfig(
        home,
        new Ports(portBase),
        podNetworkOf(portBase),
        CacheDirectory.ofThisUser(),
        Repository.root(),
        Java.current());
  }

  public ClusterConfig with(Java other) {
    return new ClusterConfig(home, ports, podNetwork, cache, root, other);
  }

  /**
   * What the environment says; what it does not say is as the cluster in that home was last
   * started, or else the default.
   *
   * @param environment variables as from {@link System#getenv()}
   */
  public static ClusterConfig of(
      Map<String, String> environment, Path userHome, CacheDirectory cache, Path root) {
    Path home = real(home(environment, userHome));
    Properties saved = saved(home);
    int base = portBase(setting(PORT_BASE, environment, saved, "" + Ports.DEFAULT_BASE));
    String network = setting(POD_NETWORK, environment, saved, podNetworkOf(base));
    Java java = java(setting(JAVA, environment, saved, ""));
    return new ClusterConfig(home, new Ports(base), network, cache, root, java);
  }

  /**
   * Keeps the ports, the network and a Java of its own in the home, for later commands. The file
   * also marks the folder as a cluster's: only such a one is ever deleted, so it must not hold
   * anything else before.
   */
  void save() throws IOException {
    Trees.createPrivateFolder(home);
    if (!isSaved() && !Trees.list(home, "*").equals(Trees.list(home, "." + SAVED + "*.new"))) {
      throw new ClusterException(
          home + " holds files and no cluster: empty it, or choose another folder with " + HOME);
    }
    Trees.writePrivate(
        home.resolve(SAVED),
        "%s=%d%n%s=%s%n%s=%s%n"
            .formatted(
                PORT_BASE,
                ports.base(),
                POD_NETWORK,
                podNetwork,
                JAVA,
                java.equals(Java.current()) ? "" : java.home()));
  }

  boolean isSaved() {
    return Files.isRegularFile(home.resolve(SAVED));
  }

  private static Properties saved(Path home) {
    Properties settings = new Properties();
    if (Files.isRegularFile(home.resolve(SAVED))) {
      try (Reader reader = Files.newBufferedReader(home.resolve(SAVED))) {
        settings.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return settings;
  }

  /** The file with the administrator's credentials for kubectl. */
  public Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  public String temporalAddress() {
    return "127.0.0.1:" + ports.temporal();
  }

  public String temporalUi() {
    return "http://127.0.0.1:" + ports.temporalUi();
  }

  public Path logs() {
    return home.resolve("logs");
  }

  /**
   * Who asked the API server for what: one JSON document of {@code audit.k8s.io/v1} in each line.
   * It tells how much Sluice costs an API server.
   */
  public Path auditLog() {
    return logs().resolve("kube-apiserver-audit.log");
  }

  Path auditPolicy() {
    return home.resolve("audit-policy.yaml");
  }

  /** The node's catalogue of images that are programs. */
  Path images() {
    return home.resolve("images.json");
  }

  public Path log(PartName part) {
    return logs().resolve(part + ".log");
  }

  /** The folder itself, however it is named: its processes carry its name. */
  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) { // it is not there yet
      return real(Trees.folder(folder)).resolve(folder.getFileName()).normalize();
    }
  }

  /**
   * {@code $SLUICE_HOME}, else {@code $XDG_STATE_HOME/sluice}, else {@code ~/.local/state/sluice}.
   */
  private static Path home(Map<String, String> environment, Path userHome) {
    String own = environment.getOrDefault(HOME, "");
    if (!own.isBlank()) {
      return Path.of(own);
    }
    String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
    Path base = xdg.isBlank() ? userHome.resolve(".local/state") : Path.of(xdg);
    return base.resolve("sluice");
  }

  /**
   * Pods have fixed ports, so clusters side by side need different networks. Two share each second
   * number, see {@link PodNetwork}; bases that are 506 times {@link Ports#COUNT} apart have the
   * same.
   */
  static String podNetworkOf(int portBase) {
    if (portBase == Ports.DEFAULT_BASE) {
      return "127.0.1";
    }
    int slot = portBase / Ports.COUNT;
    return "127.%d.%d".formatted(2 + slot / 2 % 253, slot % 2 == 0 ? 1 : 128);
  }

  private static String setting(
      String key, Map<String, String> environment, Properties saved, String otherwise) {
    String value = environment.getOrDefault(key, "");
    return value.isBlank() ? saved.getProperty(key, otherwise) : value;
  }

  private static Java java(String home) {
    return home.isBlank()
        ? Java.current()
        : Java.at(Path.of(home))
            .orElseThrow(() -> new ClusterException(JAVA + "=" + home + " is not a Java home"));
  }

  private static int portBase(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ClusterException(PORT_BASE + "=" + text + " is not a number", e);
    }
  }
}
