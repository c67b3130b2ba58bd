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

  /** Where it came from, when it is there, whole and of a fitting version. */
  Optional<ResolvedTool> find() throws IOException {
    if (!Files.isExecutable(file)) {
      return Optional.empty();
    }
    Properties stamp = new Properties();
    if (Files.exists(stampFile())) {
      try (Reader reader = Files.newBufferedReader(stampFile())) {
        stamp.load(reader);
      }
    }
    String origin = stamp.getProperty("origin", "found in the cache");
    Optional<Version> stamped = Version.findIn(stamp.getProperty("version", ""));
    if (stamped.isPresent() && stamp.equals(stamp(stamped.get(), origin))) {
      return stamped
          .filter(version -> version.fits(tool.version()))
          .map(version -> new ResolvedTool(tool, file, version, origin));
    }
    Optional<Version> found = tool.versionOf(file).filter(version -> version.fits(tool.version()));
    return found.isPresent() ? Optional.of(put(found.get(), origin)) : Optional.empty();
  }

  /** Puts {@code made}, a file beside this one, in place atomically. */
  ResolvedTool install(Path made, String origin) throws IOException {
    Optional<Version> found = tool.versionOf(made);
    if (found.isEmpty() || !found.get().fits(tool.version())) {
      throw new PartsException(
          "%s (from %s) says its version is %s, expected %s. Please report this."
              .formatted(
                  tool.binary(),
                  origin,
                  found.map(Version::toString).orElse("nothing"),
                  tool.version()));
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return put(found.get(), origin);
  }

  private ResolvedTool put(Version version, String origin) throws IOException {
    Path temporary = Files.createTempFile(file.getParent(), "stamp", ".partial");
    try (Writer writer = Files.newBufferedWriter(temporary)) {
      stamp(version, origin).store(writer, null);
    }
    Files.move(
        temporary,
        stampFile(),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    return new ResolvedTool(tool, file, version, origin);
  }

  private Properties stamp(Version version, String origin) throws IOException {
    Properties stamp = new Properties();
    stamp.setProperty("version", version.toString());
    stamp.setProperty("size", Long.toString(Files.size(file)));
    stamp.setProperty("modified", Files.getLastModifiedTime(file).toInstant().toString());
    stamp.setProperty("origin", origin);
    return stamp;
  }

  private Path stampFile() {
    return file.resolveSibling(file.getFileName() + ".stamp");
  }
}
