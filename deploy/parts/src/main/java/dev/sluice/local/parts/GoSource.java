package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Builds from the Go modules pinned in {@code deploy/local/tools}: the way that always works. */
final class GoSource implements Source {

  /** Oldest Go that builds all of them: what temporal's go.mod asks for. */
  static final Version OLDEST_GO = new Version(1, 25, 0, "");

  /** Below this a build is not worth starting; a cold one takes about 4 GB in all. */
  private static final long NEEDED_MEGABYTES = 1_000;

  private final Path tools;
  private final GoToolchain go;

  /**
   * @param tools the folder {@code deploy/local/tools}
   */
  GoSource(Path tools, GoToolchain go) {
    this.tools = tools;
    this.go = go;
  }

  @Override
  public Attempt provide(Tool tool, Path target, Progress progress) throws IOException {
    Optional<Version> found = go.version();
    if (found.isEmpty()) {
      return new Attempt.NotAvailable(
          "building needs Go %s or newer, and no 'go' is on PATH (https://go.dev/dl)"
              .formatted(OLDEST_GO));
    }
    if (found.get().olderThan(OLDEST_GO)) {
      return new Attempt.NotAvailable(
          "building needs Go %s or newer, and the one on PATH is %s (https://go.dev/dl)"
              .formatted(OLDEST_GO, found.get()));
    }
    Path module = tools.resolve(tool.module().folder());
    if (!Files.isRegularFile(module.resolve("go.mod"))) {
      return new Attempt.NotAvailable("the pinned Go module " + module + " is missing");
    }
    DiskFull.check(target, NEEDED_MEGABYTES, "Building " + tool.binary());
    try (Progress.Step step =
        progress.begin(
            "building " + tool.binary() + " " + tool.version() + " from its Go modules")) {
      go.build(module, tool.module(), target, step);
      step.done("built");
    }
    return new Attempt.Provided("built with Go " + found.get());
  }
}
