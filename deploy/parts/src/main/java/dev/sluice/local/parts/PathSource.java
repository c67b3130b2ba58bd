package dev.sluice.local.parts;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A binary that the user has already, found on PATH: the cache links to it. */
final class PathSource implements Source {

  private final String searchPath;

  /**
   * @param searchPath folders separated as in the variable PATH
   */
  PathSource(String searchPath) {
    this.searchPath = searchPath;
  }

  @Override
  public Attempt provide(Tool tool, Path target, Progress progress) throws IOException {
    List<String> misfits = new ArrayList<>();
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder).resolve(tool.binary()).toAbsolutePath();
      if (folder.isEmpty() || !Files.isExecutable(candidate) || Files.isDirectory(candidate)) {
        continue;
      }
      Optional<Version> found = VersionProbe.probe(tool, candidate);
      if (found.isPresent() && found.get().fits(tool.version())) {
        Files.createSymbolicLink(target, candidate.toRealPath());
        return new Attempt.Provided("PATH, " + candidate);
      }
      misfits.add(candidate + " is " + found.map(Version::toString).orElse("of unknown version"));
    }
    return new Attempt.NotAvailable(misfits.isEmpty() ? "not on PATH" : String.join(", ", misfits));
  }
}
