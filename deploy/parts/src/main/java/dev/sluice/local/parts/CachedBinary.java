package dev.sluice.local.parts;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * A binary in the cache, with a stamp beside it: the version it printed when it was put there, and
 * its size and time then. While those are unchanged it need not be run to know its version.
 *
 * @param file the binary, or a link to one on PATH
 */
record CachedBinary(Tool tool, Path file) {

  static CachedBinary in(CacheDirectory cache, Tool tool) {
    return new CachedBinary(tool, cache.binary(tool));
  }

  /** Where it came from, when it is there, whole and of a fitting version. */
  Optional<ResolvedTool> find() throws IOException {
    if (!Files.isExecutable(file)) {
      return Optional.empty();
    }
    Properties stamp = read();
    Optional<Version> version = Version.findIn(stamp.getProperty("version", ""));
    if (version.isPresent()
        && version.get().fits(tool.version())
        && stamp.getProperty("size", "").equals(size())
        && stamp.getProperty("modified", "").equals(modified())) {
      return Optional.of(
          new ResolvedTool(tool, file, version.get(), stamp.getProperty("origin", "")));
    }
    Optional<Version> probed = VersionProbe.probe(tool, file);
    if (probed.isEmpty() || !probed.get().fits(tool.version())) {
      return Optional.empty();
    }
    return Optional.of(stamp(probed.get(), stamp.getProperty("origin", "found in the cache")));
  }

  /** Puts {@code made}, a file beside this one, in place atomically. */
  ResolvedTool install(Path made, String origin) throws IOException {
    Optional<Version> probed = VersionProbe.probe(tool, made);
    if (probed.isEmpty() || !probed.get().fits(tool.version())) {
      throw new PartsException(
          "%s (from %s) says its version is %s, expected %s. Please report this."
              .formatted(
                  tool.binary(),
                  origin,
                  probed.map(Version::toString).orElse("nothing"),
                  tool.version()));
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return stamp(probed.get(), origin);
  }

  private ResolvedTool stamp(Version version, String origin) throws IOException {
    Properties stamp = new Properties();
    stamp.setProperty("version", version.toString());
    stamp.setProperty("size", size());
    stamp.setProperty("modified", modified());
    stamp.setProperty("origin", origin);
    Path temporary = Files.createTempFile(file.getParent(), "stamp", ".partial");
    try (Writer writer = Files.newBufferedWriter(temporary)) {
      stamp.store(writer, null);
    }
    Files.move(
        temporary,
        stampFile(),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    return new ResolvedTool(tool, file, version, origin);
  }

  private Properties read() throws IOException {
    Properties stamp = new Properties();
    if (Files.exists(stampFile())) {
      try (Reader reader = Files.newBufferedReader(stampFile())) {
        stamp.load(reader);
      }
    }
    return stamp;
  }

  private Path stampFile() {
    return file.resolveSibling(file.getFileName() + ".stamp");
  }

  private String size() throws IOException {
    return Long.toString(Files.size(file));
  }

  private String modified() throws IOException {
    return Files.getLastModifiedTime(file).toInstant().toString();
  }
}
