package dev.sluice.local.chart;

import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.PartsProvider;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Repository;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The helm command on the chart. It reaches no cluster. */
final class Helm {

  /** The release and the namespace of the committed manifests. */
  static final String NAMESPACE = "sluice-system";

  static final Path FOLDER = Repository.root().resolve("deploy/helm");

  private static final String KUBERNETES = "1.34.0";

  private final Path binary =
      PartsProvider.of(
              CacheDirectory.ofThisUser(), Repository.root(), Progress.on(System.err, false))
          .provide(Tool.HELM);

  /**
   * What helm did.
   *
   * @param output of {@code template} the manifests
   * @param errors why it failed
   */
  record Result(boolean ok, String output, String errors) {}

  /** Renders the chart as the release {@code sluice}. */
  Result template(String... arguments) {
    List<String> words = new ArrayList<>(List.of("template", "sluice", "sluice"));
    words.addAll(List.of("--namespace", NAMESPACE, "--kube-version", KUBERNETES));
    words.addAll(List.of(arguments));
    return run(words);
  }

  /** Checks the chart with one of the files in {@code deploy/helm/values}. */
  Result lint(String values) {
    return run(
        List.of(
            "lint",
            "sluice",
            "--strict",
            "--kube-version",
            KUBERNETES,
            "--values",
            "values/" + values + ".yaml"));
  }

  private Result run(List<String> words) {
    List<String> command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(words);
    try {
      Path errors = Files.createTempFile("helm", ".txt");
      Process process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectError(errors.toFile())
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ok = process.waitFor() == 0;
      String said = Files.readString(errors);
      Files.delete(errors);
      return new Result(ok, output, said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
