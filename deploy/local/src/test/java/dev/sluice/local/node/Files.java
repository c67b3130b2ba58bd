package dev.sluice.local.node;

import dev.sluice.local.node.Laptop.Cluster;
import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.pod.PodRecord;
import dev.sluice.local.node.process.ProcessId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The folder of a pod's main container, as a test looks into it. */
record Files(ContainerFolder folders) {

  static Files container(Cluster cluster, String pod) {
    try {
      Path pods = new StateFolder(cluster.node().home()).pods();
      for (PodRecord record : PodRecord.readAll(pods)) {
        if (record.name().equals(pod) && record.namespace().equals(cluster.namespace())) {
          return new Files(new ContainerFolder(record.folder(pods).resolve("main")));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("The node has no pod " + pod);
  }

  boolean exists(String name) {
    return java.nio.file.Files.exists(folders.root().resolve(name));
  }

  void touch(String name) {
    write(name, "");
  }

  void write(String name, String text) {
    try {
      java.nio.file.Files.writeString(folders.root().resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String name) {
    return text(folders.root().resolve(name));
  }

  long number(String name) {
    return Long.parseLong(read(name).strip());
  }

  /** The log of the newest attempt. */
  String log() {
    try {
      return text(folders.newest().orElseThrow().log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean alive() {
    try {
      return folders.newest().flatMap(a -> a.process()).filter(ProcessId::isAlive).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return java.nio.file.Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
