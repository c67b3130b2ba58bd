package dev.sluice.local.node.service;

import dev.sluice.local.node.volume.PlacedFile;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * The files for {@code -Djdk.net.hosts.file}. That option replaces DNS altogether, so this
 * machine's own names are in them too.
 *
 * <p>Each pod has a file of its own, in which {@code localhost} is the pod, as it is in a
 * container: the processes of a pod listen on the pod's address only, and Flink 1.20 looks for its
 * blob server on {@code localhost}.
 */
public final class HostsFiles {
  private static final String THIS_MACHINE = "127.0.0.1";
  private static final String NAME = "hosts";

  private final Path file;
  private final Path pods;
  private final String nobody;
  private String written = "";

  /**
   * @param file with the names as this machine sees them
   * @param pods the folder of all pods
   * @param nobody the address of Services without pods
   */
  public HostsFiles(Path file, Path pods, String nobody) {
    this.file = file;
    this.pods = pods;
    this.nobody = nobody;
  }

  /** Writes the names; nothing when they are as before. */
  public synchronized void write(Collection<Service> services, Collection<Pod> all)
      throws IOException {
    String text = text(services, all);
    if (text.equals(written)) {
      return;
    }
    write(file, text);
    try (DirectoryStream<Path> ofPods = Files.newDirectoryStream(pods)) {
      for (Path pod : ofPods) {
        rewrite(pod.resolve(NAME), text);
      }
    }
    written = text;
  }

  private static void rewrite(Path own, String text) throws IOException {
    String ip;
    try {
      ip = Files.readString(own).split(" ", 2)[0];
    } catch (NoSuchFileException e) {
      return; // the pod has not started yet, or is gone
    }
    write(own, asSeenBy(ip, text));
  }

  /**
   * The file of one pod, kept up to date from now on.
   *
   * @param pod the pod's folder
   * @param ip the pod's address
   */
  public synchronized Path ofPod(Path pod, String ip) throws IOException {
    Path own = pod.resolve(NAME);
    write(own, asSeenBy(ip, written.isEmpty() ? text(List.of(), List.of()) : written));
    return own;
  }

  /** The same names, but a pod is its own {@code localhost}. */
  private static String asSeenBy(String ip, String text) {
    return ip + text.substring(THIS_MACHINE.length());
  }

  private static void write(Path target, String text) throws IOException {
    PlacedFile.write(target, text.getBytes(StandardCharsets.UTF_8), 0644);
  }

  private String text(Collection<Service> services, Collection<Pod> all) {
    String own = "localhost";
    try {
      own = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // then it has no other name
    }
    return THIS_MACHINE
        + " localhost "
        + own
        + "\n"
        + ServiceNames.lines(services, all, nobody, List.of("localhost", own));
  }
}
