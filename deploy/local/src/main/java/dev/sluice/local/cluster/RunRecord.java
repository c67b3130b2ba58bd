package dev.sluice.local.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * What is remembered of a started part.
 *
 * @param process which process it is
 * @param fingerprint of the command it was started with
 */
record RunRecord(ProcessIdentity process, String fingerprint) {

  /** Empty when there is none, or one that a crash left unreadable. */
  static Optional<RunRecord> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return Optional.of(
          new RunRecord(
              new ProcessIdentity(
                  Long.parseLong(properties.getProperty("pid", "")),
                  Long.parseLong(properties.getProperty("startTicks", "")),
                  properties.getProperty("bootId", "")),
              properties.getProperty("fingerprint", "")));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("pid", Long.toString(process.pid()));
    properties.setProperty("startTicks", Long.toString(process.startTicks()));
    properties.setProperty("bootId", process.bootId());
    properties.setProperty("fingerprint", fingerprint);
    StringWriter text = new StringWriter();
    properties.store(text, null);
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, text.toString());
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
