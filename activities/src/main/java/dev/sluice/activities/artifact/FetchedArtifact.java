package dev.sluice.activities.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A jar in a temporary file, which closing deletes.
 *
 * @param file where it is
 */
public record FetchedArtifact(Path file) implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FetchedArtifact.class);

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("The temporary file {} stays until the worker ends", file, e);
    }
  }
}
