package dev.sluice.local.cluster;

import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Installs Sluice itself in the cluster: CRDs, rights, controller and worker. */
final class Operator {

  /** Where controller and worker run. */
  static final String NAMESPACE = "sluice-system";

  private static final Duration APPLY_TIMEOUT = Duration.ofSeconds(20);
  private static final String NODE_RIGHTS = "node-rights.yaml";

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Progress progress;

  Operator(ClusterConfig config, Kubectl kubectl, Progress progress) {
    this.config = config;
    this.kubectl = kubectl;
    this.progress = progress;
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

  /**
   * Applies CRDs and manifests.
   *
   * @return the Deployments that were applied
   */
  List<String> install(ImagesFile images) throws IOException {
    List<String> files = new ArrayList<>(read(config.root().resolve("deploy/crds")));
    files.addAll(read(config.root().resolve("deploy/operator")));
    OperatorManifests.Fitted fitted =
        new OperatorManifests(
                Map.of("TEMPORAL_ADDRESS", config.temporalAddress()),
                image ->
                    ImagesFile.isOurs(image)
                        ? images.application(image).map(Application::fingerprint).orElse("")
                        : image)
            .fit(files);
    apply(fitted.json());
    for (String name : fitted.notBuilt()) {
      progress.say("       " + name + " is not built yet: left out");
    }
    return fitted.deployments();
  }

  /** Waits until what was installed runs. */
  void awaitAvailable(List<String> deployments, Duration timeout) {
    for (String name : deployments) {
      try (Progress.Step step = progress.begin("waiting for " + name)) {
        awaitAvailable(name, timeout);
        step.done("ready");
      }
    }
  }

  private void awaitAvailable(String name, Duration timeout) {
    String component = name.replace("sluice-", "");
    Optional<String> problem =
        Poll.until(timeout, () -> rolloutProblem(name).or(() -> programProblem(component)));
    if (problem.isPresent()) {
      throw new ClusterException(
          "%s does not get ready: %s%nSee './sluice logs %s' and './sluice kubectl -n %s describe pods'."
              .formatted(name, problem.get(), component, NAMESPACE));
    }
  }

  private Optional<String> rolloutProblem(String name) {
    Kubectl.Result result =
        kubectl.run(
            "--namespace=" + NAMESPACE, "rollout", "status", "deployment/" + name, "--timeout=5s");
    return result.ok() ? Optional.empty() : Optional.of(result.output());
  }

  private Optional<String> programProblem(String component) {
    return Program.all(kubectl).stream()
        .filter(program -> program.component().equals(component))
        .map(Program::problem)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Repeats while the API server, just started, still makes its own roles and namespaces. */
  private void apply(String documents) {
    if (documents.isBlank()) {
      return;
    }
    Optional<String> problem =
        Poll.until(
            APPLY_TIMEOUT,
            () -> {
              Kubectl.Result result =
                  kubectl.run(
                      documents,
                      List.of(
                          "apply",
                          "--server-side",
                          "--force-conflicts",
                          "--field-manager=sluice-up",
                          "--filename=-"));
              return result.ok() ? Optional.empty() : Optional.of(result.output());
            });
    if (problem.isPresent()) {
      throw new ClusterException("the manifests cannot be applied:%n%s".formatted(problem.get()));
    }
  }

  private static List<String> read(Path folder) throws IOException {
    List<String> texts = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{yaml,yml}")) {
      for (Path file : files) {
        texts.add(Files.readString(file));
      }
    }
    return texts;
  }
}
