package dev.sluice.local.parts;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private final CacheDirectory cache;
  private final String searchPath;
  private final FetchScript script;
  private final Progress progress;

  PartsProvider(CacheDirectory cache, String searchPath, FetchScript script, Progress progress) {
    this.cache = cache;
    this.searchPath = searchPath;
    this.script = script;
    this.progress = progress;
  }

  /**
   * The provider with all sources.
   *
   * @param tools the folder {@code deploy/local/tools}: the script that fetches, and what it builds
   */
  public static PartsProvider of(CacheDirectory cache, Path tools, Progress progress) {
    return new PartsProvider(
        cache,
        System.getenv().getOrDefault("PATH", ""),
        new FetchScript(tools, Map.of(), progress),
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
      CachedBinary cached = new CachedBinary(tool, cache.binary(tool));
      Optional<ResolvedTool> found = cached.find();
      return found.isPresent() ? found.get() : provide(tool, cached);
    } catch (IOException e) {
      throw new PartsException(
          PartsException.saysFullDisk(e.getMessage())
              ? "The disk of %s is full. Free some space, or put the cache elsewhere with SLUICE_CACHE."
                  .formatted(cache.root())
              : "%s cannot be put into %s: %s".formatted(tool.binary(), cache.root(), e),
          e);
    }
  }

  private ResolvedTool provide(Tool tool, CachedBinary cached) throws IOException {
    try (FileMutex mutex =
        FileMutex.take(
            cache.root().resolve("locks").resolve(tool.binary() + ".lock"),
            () -> progress.say(tool.binary() + " is being fetched by another process: waiting"))) {
      Optional<ResolvedTool> meanwhile = cached.find();
      if (meanwhile.isPresent()) {
        return meanwhile.get();
      }
      Path folder = Files.createDirectories(cached.file().getParent());
      removeLeftovers(folder);
      Path target = folder.resolve(tool.binary() + ".partial");
      List<String> reasons = new ArrayList<>();
      Optional<String> origin = link(tool, target, reasons);
      if (origin.isEmpty()) {
        origin = script.run(tool, target, reasons);
      }
      if (origin.isPresent()) {
        return cached.install(target, origin.get());
      }
      throw new PartsException(
          "%s %s cannot be had:%n  - %s%nMake one of these work, or put the binary on PATH."
              .formatted(tool.binary(), tool.version(), String.join("\n  - ", reasons)));
    }
  }

  /** Links to a binary that is on PATH and fits; returns where that is. */
  private Optional<String> link(Tool tool, Path target, List<String> reasons) throws IOException {
    List<String> misfits = new ArrayList<>();
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder).resolve(tool.binary()).toAbsolutePath();
      if (folder.isEmpty() || !Files.isExecutable(candidate) || Files.isDirectory(candidate)) {
        continue;
      }
      Optional<Version> found = tool.versionOf(candidate);
      if (found.isPresent() && found.get().fits(tool.version())) {
        Files.createSymbolicLink(target, candidate.toRealPath());
        return Optional.of("PATH, " + candidate);
      }
      misfits.add(candidate + " is " + found.map(Version::toString).orElse("of unknown version"));
    }
    reasons.add(misfits.isEmpty() ? "not on PATH" : String.join(", ", misfits));
    return Optional.empty();
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
