package dev.sluice.local.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.local.jvm.SmallJvm;
import dev.sluice.local.os.Resources;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Fingerprint;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Sluice itself in the cluster: CRDs, rights, and the pods of controller and worker, as the chart
 * renders them.
 */
public final class Operator {
  public static final String NAMESPACE = "sluice-system";

  /** Their names: of their modules and on the command line. */
  public static final List<String> NAMES = List.of("controller", "worker");

  private static final String OURS = "--selector=app.kubernetes.io/part-of=sluice";
  private static final String RENDERED = "deploy/helm/rendered/laptop.yaml";
  private static final String IMAGE = "image: sluice:dev";
  private static final Pattern TEMPORAL = Pattern.compile("(?m)^( *TEMPORAL_ADDRESS:).*$");

  /** Not mounted: a command has paths below the /tmp of this machine. */
  private static final Pattern TMP = Pattern.compile(" *- name: tmp\n *mountPath: /tmp\n");

  private static final Duration APPLY_TIMEOUT = Duration.ofSeconds(60);
  private static final String NODE_RIGHTS = "node-rights.yaml";
  private static final String NAMESPACE_MANIFEST =
      "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(NAMESPACE);
  private static final int HEAP_MEGABYTES = 160;
  private static final String PODS =
      "{{range .items}}{{if not .metadata.deletionTimestamp}}"
          + "{{index .metadata.labels \"app.kubernetes.io/component\"}}"
          + " {{with .status.podIP}}{{.}}{{end}}{{\"\\n\"}}{{end}}{{end}}";

  /**
   * A pod of Sluice.
   *
   * @param component {@code controller} or {@code worker}
   * @param healthUrl answers 200 when it is ready; empty while the pod has no address
   */
  public record Program(String component, String healthUrl) {

    /** Why it is not ready, as it says itself: Kubernetes' word may be from before a crash. */
    public Optional<String> problem() {
      return healthUrl.isEmpty()
          ? Optional.of("its pod has not started")
          : ReadyProbe.problem(healthUrl);
    }
  }

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Progress progress;
  private final List<Application> applications = new ArrayList<>();

  Operator(ClusterConfig config, Progress progress) {
    this.config = config;
    this.kubectl = new Kubectl(config);
    this.progress = progress;
    for (String name : NAMES) {
      String main = name.equals("worker") ? "worker.WorkerMain" : "controller.ControllerMain";
      Application.built(config.root(), name, "dev.sluice." + main)
          .map(it -> it.on(config.java()))
          .ifPresent(applications::add);
    }
  }

  /** Controller and worker, as far as Maven has built them. */
  List<Application> applications() {
    return applications;
  }

  /** Writes what the pods run: the node's catalogue of images that are programs. */
  void writeImages() throws IOException {
    Trees.writePrivate(nameCache(), SmallJvm.nameCache());
    Map<String, Object> images = new HashMap<>();
    for (Application application : applications) {
      images.put(image(application), Map.of("command", command(application)));
    }
    Trees.writePrivate(
        config.images(),
        new ObjectMapper()
            .enable(
                SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .writeValueAsString(Map.of("images", images)));
  }

  private Path nameCache() {
    return config.home().resolve("names.security");
  }

  private List<String> command(Application application) {
    return application.command(
        config.home(),
        HEAP_MEGABYTES,
        List.of(
            // $(...) is expanded by the node
            "-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)",
            "-Djava.security.properties=" + nameCache()));
  }

  private String image(Application application) {
    return image(application.name(), command(application), config.ports());
  }

  /** Changes with whatever pods are started with, so that those of another are replaced. */
  static String image(String name, List<String> command, Ports ports) {
    return "sluice/%s:%s".formatted(name, Fingerprint.of(ports + " " + command));
  }

  /** Gives the node the rights it needs: before it starts. */
  void grantNodeRights() throws IOException {
    apply(Resources.text(Operator.class, NODE_RIGHTS));
  }

  /** Applies CRDs and the rendered chart; says what is left out because Maven has not built it. */
  void install() throws IOException {
    List<String> manifests = read(config.root().resolve("deploy/crds"));
    manifests.add(NAMESPACE_MANIFEST);
    String rendered = Files.readString(config.root().resolve(RENDERED));
    for (String manifest : rendered.split("(?m)^---\n", -1)) {
      String localized = localized(manifest);
      if (localized.contains(IMAGE)) {
        String name = NAMES.stream().filter(it -> isOf(it, manifest)).findFirst().orElseThrow();
        progress.say("       " + name + " is not built yet: left out");
      } else {
        manifests.add(localized);
      }
    }
    apply(String.join("\n---\n", manifests));
  }

  private static boolean isOf(String name, String manifest) {
    return manifest.contains("args: [%s]\n".formatted(name));
  }

  /** A manifest with what differs on a laptop. */
  private String localized(String manifest) {
    String localized = TEMPORAL.matcher(manifest).replaceFirst("$1 " + config.temporalAddress());
    localized = TMP.matcher(localized).replaceFirst("");
    for (Application application : applications) {
      if (isOf(application.name(), manifest)) {
        localized = localized.replace(IMAGE, "image: " + image(application));
      }
    }
    return localized;
  }

  void awaitAvailable(Duration timeout) {
    if (applications.isEmpty()) {
      return;
    }
    try (Progress.Step step = progress.begin("waiting for controller and worker")) {
      Optional<String> problem =
          Poll.until(timeout, () -> rolloutProblem().or(this::programProblem));
      if (problem.isPresent()) {
        throw new ClusterException(
            "Sluice does not get ready: %s%nSee './sluice logs controller', './sluice logs worker' and './sluice kubectl -n %s describe pods'."
                .formatted(problem.get(), NAMESPACE));
      }
      step.done("ready");
    }
  }

  /** The pods that are meant to run; without an address those that do not. */
  List<Program> programs() {
    Kubectl.Result pods =
        kubectl.run(
            "get", "pods", "--namespace=" + NAMESPACE, OURS, "--output=go-template=" + PODS);
    return programs(pods.ok() ? pods.output() : "", applications);
  }

  /** Of lines of a component and the address of its pod. */
  static List<Program> programs(String lines, List<Application> applications) {
    List<Program> programs = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      String[] it = line.strip().split(" ", -1);
      programs.add(new Program(it[0], it.length > 1 ? "http://" + it[1] + ":8080/readyz" : ""));
    }
    for (Application application : applications) {
      if (programs.stream().noneMatch(it -> it.component().equals(application.name()))) {
        programs.add(new Program(application.name(), ""));
      }
    }
    return programs;
  }

  private Optional<String> rolloutProblem() {
    Kubectl.Result result =
        kubectl.run(
            "rollout", "status", "deployment", "--namespace=" + NAMESPACE, OURS, "--timeout=5s");
    return result.ok() ? Optional.empty() : Optional.of(result.output());
  }

  private Optional<String> programProblem() {
    return programs().stream()
        .flatMap(it -> it.problem().map(why -> it.component() + ": " + why).stream())
        .findFirst();
  }

  /** Repeats while the API server, just started, still makes its own roles and namespaces. */
  private void apply(String documents) {
    List<String> arguments =
        List.of(
            "apply",
            "--server-side",
            "--force-conflicts",
            "--field-manager=sluice-up",
            "--filename=-");
    Optional<String> problem =
        Poll.until(
            APPLY_TIMEOUT,
            () -> {
              Kubectl.Result result = kubectl.run(documents, arguments);
              return result.ok() ? Optional.empty() : Optional.of(result.output());
            });
    if (problem.isPresent()) {
      throw new ClusterException("the manifests cannot be applied:%n%s".formatted(problem.get()));
    }
  }

  /** By name: the namespace comes first. */
  private static List<String> read(Path folder) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : Trees.list(folder, "*.{yaml,yml}")) {
      texts.add(Files.readString(file));
    }
    return texts;
  }
}
