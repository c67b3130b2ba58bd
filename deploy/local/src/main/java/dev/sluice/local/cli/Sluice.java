package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.Operator;
import dev.sluice.local.cluster.PartName;
import dev.sluice.local.cluster.Wrappers;
import dev.sluice.local.demo.Demo;
import dev.sluice.local.demo.Deployments;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.PartsException;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import dev.sluice.local.parts.Tool;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code sluice}. User errors end it with their message and exit code 1. */
@Command(
    name = "sluice",
    description = "A whole Flink platform on this machine: Kubernetes, Temporal, Flink, Sluice.",
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = {
      "  kubectl   Run kubectl as the cluster's administrator.",
      "  temporal  Run Temporal's command line against the cluster.",
      "  bench     Measure what Sluice costs; see docs/performance.md.",
      "",
      "Variables:",
      "  SLUICE_HOME         the cluster's state (default ~/.local/state/sluice)",
      "  SLUICE_CACHE        binaries and Flink homes (default ~/.cache/sluice)",
      "  SLUICE_PORT_BASE    first of ten ports on 127.0.0.1 (default 17000)",
      "  SLUICE_POD_NETWORK  addresses of pods (default 127.0.1)"
    })
public final class Sluice {
  private static final String EXAMPLES = "flink:2.2";

  private static final List<Class<? extends Exception>> USER_ERRORS =
      List.of(
          ClusterException.class,
          PartsException.class,
          ImagePullException.class,
          KubernetesClientException.class,
          IOException.class,
          UncheckedIOException.class);

  private Sluice() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return commandLine(new Sluice());
  }

  /** A command that reports user errors without a stack trace. */
  public static CommandLine commandLine(Object command) {
    CommandLine commandLine = new CommandLine(command);
    commandLine.setExecutionExceptionHandler(
        (exception, failed, parsed) -> {
          if (USER_ERRORS.stream().noneMatch(it -> it.isInstance(exception))) {
            throw exception;
          }
          failed.getErr().println("sluice: " + errorText(exception));
          return 1;
        });
    return commandLine;
  }

  public static LocalCluster cluster() {
    return LocalCluster.of(config(), progress());
  }

  @Command(description = "Start the cluster, or what is missing of it, and say where things are.")
  int up() {
    LocalCluster cluster = cluster();
    cluster.up();
    try {
      prepareFlink();
    } catch (ImagePullException e) {
      System.out.println("Flink is not ready yet, the first pod that needs it tries again:");
      System.out.println(e.getMessage());
    }
    cluster.buildClassArchives();
    System.out.print(StatusReport.whereThingsAre(cluster.config(), cluster.programs()));
    return 0;
  }

  @Command(description = "End every process of the cluster; its state is kept.")
  int down() {
    LocalCluster cluster = cluster();
    cluster.down();
    System.out.println("down; the state is kept in " + cluster.config().home());
    return 0;
  }

  @Command(
      description =
          "Say how each part is and where things are; exit code 1 when one, controller or worker is"
              + " not ready.")
  int status() {
    LocalCluster cluster = cluster();
    List<LocalCluster.PartStatus> parts = cluster.status();
    System.out.print(StatusReport.table(parts, cluster.pods()));
    if (!parts.stream().allMatch(LocalCluster.PartStatus::isReady)) {
      System.out.println("./sluice up  starts what is missing");
      return 1;
    }
    List<Operator.Program> programs = cluster.programs();
    System.out.print(StatusReport.whereThingsAre(cluster.config(), programs));
    return StatusReport.exitCode(programs);
  }

  @Command(description = "Start the cluster, deploy the sample job, upgrade it with its state.")
  int demo() throws ImagePullException, IOException {
    LocalCluster cluster = cluster();
    cluster.up();
    prepareFlink();
    try (Deployments deployments = new Deployments(cluster.config())) {
      new Demo(cluster.config(), cluster.kubectl(), deployments, System.out).run();
    }
    cluster.buildClassArchives();
    return 0;
  }

  @Command(
      description = "End the cluster and delete its state: objects, histories, logs, credentials.")
  int reset() {
    LocalCluster cluster = cluster();
    cluster.reset();
    System.out.println("down; nothing of the cluster is left in " + cluster.config().home());
    return 0;
  }

  @Command(description = "Show the log of a part, or of 'controller' or 'worker'.")
  int logs(
      @Parameters(paramLabel = "PART", description = "etcd, kube-apiserver, temporal, node, ...")
          String part,
      @Option(
              names = {"-f", "--follow"},
              description = "Go on as the log grows.")
          boolean follow,
      @Option(
              names = {"-n", "--lines"},
              defaultValue = "200",
              description = "How many of the last lines (default ${DEFAULT-VALUE}).")
          int lines)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Operator.NAMES.contains(part)) {
      command.addAll(List.of(Wrappers.script(config(), Tool.KUBECTL).toString(), "logs"));
      command.addAll(List.of("--namespace=" + Operator.NAMESPACE, "deployment/sluice-" + part));
      command.addAll(List.of("--tail=" + lines, "--follow=" + follow));
      return run(command);
    }
    command.addAll(List.of("tail", "-n", Integer.toString(lines)));
    if (follow) {
      command.add("-F");
    }
    command.add(config().log(part(part)).toString());
    return run(command);
  }

  @Command(description = "Fetch or build every binary that is missing, and say where they are.")
  int parts() {
    CacheDirectory cache = CacheDirectory.ofThisUser();
    PartsProvider provider = PartsProvider.of(cache, Repository.root(), progress());
    provider
        .provide(EnumSet.allOf(Tool.class))
        .forEach(
            (tool, origin) ->
                System.out.printf("%-24s %s  (%s)%n", tool.binary(), cache.binary(tool), origin));
    System.out.printf("%-24s %s%n", "kube-api-test directory", provider.kubeApiTest());
    return 0;
  }

  static String errorText(Exception exception) {
    Throwable cause = exception instanceof UncheckedIOException ? exception.getCause() : null;
    return exception.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }

  private static PartName part(String name) {
    return PartName.of(name)
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is no part '%s'. There are: %s"
                        .formatted(
                            name,
                            Stream.concat(Arrays.stream(PartName.values()), Operator.NAMES.stream())
                                .map(Object::toString)
                                .collect(Collectors.joining(", ")))));
  }

  private static ClusterConfig config() {
    return ClusterConfig.of(
        System.getenv(),
        Path.of(System.getProperty("user.home", "")),
        CacheDirectory.ofThisUser(),
        Repository.root());
  }

  private static Progress progress() {
    // the launcher knows whether standard output is a terminal
    boolean terminal = "1".equals(System.getenv("SLUICE_TERMINAL"));
    return Progress.on(System.out, terminal);
  }

  /** Quick when it is in the cache. */
  private static void prepareFlink() throws ImagePullException {
    new FlinkImages(CacheDirectory.ofThisUser(), progress()).pull(EXAMPLES);
  }

  /** Runs another program on this terminal, as if it had been called directly. */
  private static int run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      return 130;
    }
  }
}
