package dev.sluice.local.parts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code go} command. It uses the user's own module and build caches. */
final class GoToolchain {

  private static final int KEPT_LINES = 20;

  private final String command;

  /**
   * @param command {@code go}, or the path of one
   */
  GoToolchain(String command) {
    this.command = command;
  }

  /** Empty when there is none. */
  Optional<Version> version() {
    try {
      Process process = start(null, List.of(command, "version"));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Version.findIn(output) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Builds a main package as its folder's go.mod and go.sum say, changing neither.
   *
   * @param folder where the go.mod is
   * @param target the binary to write
   */
  void build(Path folder, GoModule module, Path target, Progress.Step step) throws IOException {
    Process process =
        start(
            folder,
            List.of(
                command,
                "build",
                "-v",
                "-trimpath",
                "-ldflags",
                "-s -w " + module.stampVersion(),
                "-o",
                target.toString(),
                module.mainPackage()));
    Thread onInterrupt = new Thread(process::destroy, "stop-go-build");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      String tail = follow(process, step);
      if (process.waitFor() != 0) {
        throw failure(module, tail);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroy();
      removeHook(onInterrupt);
    }
  }

  /** Counts what go says it downloads and compiles; returns its last lines. */
  private static String follow(Process process, Progress.Step step) throws IOException {
    Deque<String> tail = new ArrayDeque<>();
    int modules = 0;
    int packages = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("go: downloading ")) {
          step.detail("%d modules downloaded".formatted(++modules));
        } else {
          step.detail("%d packages compiled".formatted(++packages));
          tail.addLast(line);
        }
        if (tail.size() > KEPT_LINES) {
          tail.removeFirst();
        }
      }
    }
    return String.join("\n", tail);
  }

  private static PartsException failure(GoModule module, String tail) {
    String advice =
        DiskFull.isSaidBy(tail)
            ? "The disk is full: free about 4 GB ('go clean -cache' helps) and run it again."
            : "What is compiled so far is kept: run it again to go on from there.";
    return new PartsException(
        "Building %s failed. %s%ngo said:%n%s".formatted(module.mainPackage(), advice, tail));
  }

  private Process start(@Nullable Path folder, List<String> arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    builder.environment().put("CGO_ENABLED", "0");
    builder.environment().put("GOTOOLCHAIN", "local");
    builder.environment().put("GOFLAGS", "-mod=readonly");
    builder.environment().put("GOWORK", "off");
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // this process is ending already, and the hook has done its work
      return;
    }
  }
}
