package dev.sluice.local.cluster;

import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** kubectl as the cluster's administrator. */
public final class Kubectl {

  private final ClusterConfig config;

  Kubectl(ClusterConfig config) {
    this.config = config;
  }

  /**
   * What it did.
   *
   * @param exitCode 0 when it went well
   * @param output what it printed, errors too
   */
  public record Result(int exitCode, String output) {

    public boolean ok() {
      return exitCode == 0;
    }
  }

  /** Runs it and waits for its end. */
  public Result run(String... arguments) {
    return run("", List.of(arguments));
  }

  /**
   * Runs it with an input.
   *
   * @param input what it reads with {@code -f -}
   */
  public Result run(String input, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(config.cache().binary(Tool.KUBECTL).toString());
    command.add("--kubeconfig=" + config.kubeconfig());
    command.addAll(arguments);
    try {
      // a file, because a pipe would have to be fed and emptied at the same time
      Path in = Files.createTempFile("sluice-kubectl", ".in");
      try {
        Files.writeString(in, input);
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .start();
        byte[] output = process.getInputStream().readAllBytes();
        return new Result(process.waitFor(), new String(output, StandardCharsets.UTF_8).strip());
      } finally {
        Files.delete(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("kubectl cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted", e);
    }
  }
}
