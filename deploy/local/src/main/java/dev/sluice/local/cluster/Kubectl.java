package dev.sluice.local.cluster;

import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** kubectl as the cluster's administrator. */
public final class Kubectl {
  private final ClusterConfig config;

  Kubectl(ClusterConfig config) {
    this.config = config;
  }

  /** What it did; its output has errors, too. */
  public record Result(int exitCode, String output) {

    public boolean ok() {
      return exitCode == 0;
    }
  }

  public void succeed(String input, String... arguments) {
    Result result = run(input, List.of(arguments));
    if (!result.ok()) {
      throw new ClusterException("kubectl " + String.join(" ", arguments) + ": " + result.output());
    }
  }

  public Result run(String... arguments) {
    return run("", List.of(arguments));
  }

  /** Runs it with an input, which it reads with {@code -f -}. */
  public Result run(String input, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(config.cache().binary(Tool.KUBECTL).toString());
    command.add("--kubeconfig=" + config.kubeconfig());
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      // it prints no more than a pipe holds before it has read all
      try (OutputStream in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // it has ended without reading it, and says why
      }
      byte[] output = process.getInputStream().readAllBytes();
      return new Result(process.waitFor(), new String(output, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("kubectl cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted", e);
    }
  }
}
