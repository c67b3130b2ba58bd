package dev.sluice.local.node;

import dev.sluice.local.node.Laptop.Cluster;
import dev.sluice.local.node.pod.PodRecord;
import dev.sluice.local.node.pod.StateFolder;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a pod's main container, as a test looks into it. */
record ContainerFolder(Path dir) {

  static ContainerFolder container(Cluster cluster, String pod) {
    StateFolder state = new StateFolder(cluster.node().home());
    PodRecord record = new PodRecord(cluster.pod(pod), "", 0);
    return new ContainerFolder(state.folder(record).resolve("main"));
  }

  Path root() {
    return dir.resolve("root");
  }

  boolean exists(String name) {
    return Files.exists(root().resolve(name));
  }

  void touch(String name) {
    write(name, "");
  }

  void write(String name, String text) {
    try {
      Files.writeString(root().resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String name) {
    return text(root().resolve(name));
  }

  long number(String name) {
    return Long.parseLong(read(name).strip());
  }

  /** The log of the newest attempt. */
  String log() {
    try {
      return text(Attempt.newest(dir).orElseThrow().log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean alive() {
    try {
      return Attempt.newest(dir)
          .flatMap(a -> a.process())
          .filter(ProcessIdentity::isAlive)
          .isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
