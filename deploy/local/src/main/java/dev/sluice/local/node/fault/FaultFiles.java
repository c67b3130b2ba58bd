package dev.sluice.local.node.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Where faults are kept: {@code faults.json}, and {@code applied} with the generation that the node
 * has taken up.
 *
 * @param dir the folder
 */
public record FaultFiles(Path dir) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The faults asked for; none when there is no file. */
  public Faults read() throws IOException {
    try {
      return JSON.readValue(Files.readAllBytes(dir.resolve("faults.json")), Faults.class);
    } catch (NoSuchFileException e) {
      return Faults.NONE;
    }
  }

  /** Asks for faults. */
  public void write(Faults faults) throws IOException {
    PlacedFile.write(dir.resolve("faults.json"), JSON.writeValueAsBytes(faults), 0600);
  }

  /** The generation that the node has taken up; -1 when it has not started yet. */
  public long applied() throws IOException {
    try {
      return Long.parseLong(Files.readString(dir.resolve("applied")).strip());
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /** Says that a generation has been taken up. */
  public void applied(long generation) throws IOException {
    PlacedFile.write(
        dir.resolve("applied"), Long.toString(generation).getBytes(StandardCharsets.UTF_8), 0600);
  }
}
