package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Provides the binaries: from the cache, else from PATH, else the official release, else built from
 * the pinned Go modules. Safe to use from several processes at once.
 */
public final class PartsProvider {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private final CacheDirectory cache;
  private final List<Source> sources;
  private final Progress progress;

  PartsProvider(CacheDirectory cache, List<Source> sources, Progress progress) {
    this.cache = cache;
    this.sources = List.copyOf(sources);
    this.progress = progress;
  }

  /**
   * The provider with all sources.
   *
   * @param tools the folder {@code deploy/local/tools} with the pinned Go modules
   */
  public static PartsProvider of(CacheDirectory cache, Path tools, Progress progress) {
    return new PartsProvider(
        cache,
        List.of(
            new PathSource(System.getenv().getOrDefault("PATH", "")),
            new ReleaseSource(
                new Downloads(CONNECT_TIMEOUT), tool -> tool.release(Platform.current())),
            new GoSource(tools, new GoToolchain("go"))),
        progress);
  }

  /**
   * All of {@code wanted}, in order. Takes minutes for what is in no cache yet.
   *
   * @throws PartsException when one cannot be had; what was got before stays in the cache
   */
  public Map<Tool, ResolvedTool> resolve(Collection<Tool> wanted) {
    Map<Tool, ResolvedTool> resolved = new EnumMap<>(Tool.class);
    for (Tool tool : wanted) {
      resolved.put(tool, resolve(tool));
    }
    return resolved;
  }

  /** One binary. */
  public ResolvedTool resolve(Tool tool) {
    try {
      CachedBinary cached = CachedBinary.in(cache, tool);
      Optional<ResolvedTool> found = cached.find();
      return found.isPresent() ? found.get() : provide(tool, cached);
    } catch (IOException e) {
      String said = String.valueOf(e.getMessage());
      throw new PartsException(
          DiskFull.isSaidBy(said)
              ? "The disk of %s is full. Free some space, or put the cache elsewhere with SLUICE_CACHE."
                  .formatted(cache.root())
              : "%s cannot be put into %s: %s".formatted(tool.binary(), cache.root(), e),
          e);
    }
  }

  private ResolvedTool provide(Tool tool, CachedBinary cached) throws IOException {
    try (FileMutex mutex =
        FileMutex.take(
            cache.lock(tool),
            () -> progress.say(tool.binary() + " is being fetched by another process: waiting"))) {
      Optional<ResolvedTool> meanwhile = cached.find();
      if (meanwhile.isPresent()) {
        return meanwhile.get();
      }
      Path folder = Files.createDirectories(cache.folder(tool));
      removeLeftovers(folder);
      Path target = folder.resolve(tool.binary() + ".partial");
      List<String> reasons = new ArrayList<>();
      for (Source source : sources) {
        Source.Attempt attempt = source.provide(tool, target, progress);
        if (attempt instanceof Source.Attempt.Provided provided) {
          return cached.install(target, provided.origin());
        }
        if (attempt instanceof Source.Attempt.NotAvailable closed) {
          reasons.add(closed.reason());
        }
      }
      throw new PartsException(
          "%s %s cannot be had:%n  - %s%nMake one of these work, or put the binary on PATH."
              .formatted(tool.binary(), tool.version(), String.join("\n  - ", reasons)));
    }
  }

  /** What an interrupted run left: this process holds the lock, so no other writes it. */
  private static void removeLeftovers(Path folder) throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, "*.partial*")) {
      for (Path leftover : leftovers) {
        Files.deleteIfExists(leftover);
      }
    }
  }
}
