package dev.sluice.local.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sluice itself in the cluster: CRDs, rights, and the pods of controller and worker, from the
 * manifests that production uses.
 */
public final class Operator {

  /** Where controller and worker run. */
  static final String NAMESPACE = "sluice-system";

  private static final String OURS = "--selector=app.kubernetes.io/part-of=sluice";
  private static final Pattern IMAGE = Pattern.compile("sluice/\\w+:dev");
  private static final Pattern TEMPORAL = Pattern.compile("(?m)^( *TEMPORAL_ADDRESS:).*$");
  private static final Duration APPLY_TIMEOUT = Duration.ofSeconds(20);
  private static final String NODE_RIGHTS = "node-rights.yaml";
  private static final int HEAP_MEGABYTES = 160;
  private static final List<String> JAVA_OPTIONS =
      List.of(
          // $(...) is expanded by the node
          "-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)",
          // a Service name means its pods, which come and go
          "-Dsun.net.inetaddr.ttl=1");
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

    /**
     * Why it is not ready, asked of the program itself: what Kubernetes says of it may be from
     * before the node was down.
     *
     * @return empty when it is
     */
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
    Path root = config.root();
    Application.built(root, "controller", "dev.sluice.controller.ControllerMain")
        .ifPresent(applications::add);
    Application.built(root, "worker", "dev.sluice.worker.WorkerMain").ifPresent(applications::add);
  }

  /** Controller and worker, as far as Maven has built them. */
  List<Application> applications() {
    return applications;
  }

  /** The node's catalogue of images that are programs: which command it starts for them. */
  String images() throws IOException {
    Map<String, Object> images = new HashMap<>();
    for (Application application : applications) {
      images.put(
          image(application),
          Map.of(
              "command",
              application.command(config.home(), HEAP_MEGABYTES, JAVA_OPTIONS),
              "env",
              Map.of("MALLOC_ARENA_MAX", "2")));
    }
    return new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .writeValueAsString(Map.of("images", images));
  }

  /** Changes with the build and with the settings, so that pods of another are replaced. */
  private String image(Application application) {
    return "sluice/%s:%s-%d"
        .formatted(application.name(), application.fingerprint(), config.ports().base());
  }

  /** Gives the node the rights it needs: before it starts. */
  void grantNodeRights() throws IOException {
    try (InputStream in = Operator.class.getResourceAsStream(NODE_RIGHTS)) {
      if (in == null) {
        throw new IllegalStateException(NODE_RIGHTS + " is missing from the jar");
      }
      apply(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Applies CRDs and manifests; says what is left out because Maven has not built it. */
  void install() throws IOException {
    List<String> manifests = read(config.root().resolve("deploy/crds"));
    for (String manifest : read(config.root().resolve("deploy/operator"))) {
      String fitted = fitted(manifest);
      Matcher notBuilt = IMAGE.matcher(fitted);
      if (notBuilt.find()) {
        progress.say("       " + notBuilt.group() + " is not built yet: left out");
      } else {
        manifests.add(fitted);
      }
    }
    apply(String.join("\n---\n", manifests));
  }

  /** A manifest with what differs on a laptop. */
  String fitted(String manifest) {
    String fitted = TEMPORAL.matcher(manifest).replaceFirst("$1 " + config.temporalAddress());
    for (Application application : applications) {
      fitted = fitted.replace("sluice/%s:dev".formatted(application.name()), image(application));
    }
    return fitted;
  }

  /** Waits until controller and worker run. */
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

  /** The pods that are meant to run; none when the API server does not answer. */
  List<Program> programs() {
    Kubectl.Result pods =
        kubectl.run(
            "get", "pods", "--namespace=" + NAMESPACE, OURS, "--output=go-template=" + PODS);
    return pods.ok() ? programs(pods.output()) : List.of();
  }

  /**
   * @param lines component and address of a pod in each
   */
  static List<Program> programs(String lines) {
    return lines
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.strip().split(" ", -1))
        .map(it -> new Program(it[0], it.length > 1 ? "http://" + it[1] + ":8080/readyz" : ""))
        .toList();
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
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(it -> it.toString().matches(".*\\.ya?ml")).sorted().toList()) {
        texts.add(Files.readString(file));
      }
    }
    return texts;
  }
}
