package dev.sluice.local.node.service;

import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files for {@code -Djdk.net.hosts.file}. That option replaces DNS altogether, so this
 * machine's own names are in them too; a line per address, and the JDK takes all lines of a name.
 *
 * <p>Each pod has a file of its own, in which {@code localhost} is the pod, as it is in a
 * container: the processes of a pod listen on the pod's address only, and Flink 1.20 looks for its
 * blob server on {@code localhost}.
 */
public final class HostsFile {
  private static final String THIS_MACHINE = "127.0.0.1";
  private static final String NAME = "hosts";

  private final Path file;
  private final Path pods;
  private String written = "";

  /**
   * @param file with the names as this machine sees them
   * @param pods the folder of all pods
   */
  public HostsFile(Path file, Path pods) {
    this.file = file;
    this.pods = pods;
  }

  /** Writes the names; nothing when they are as before. */
  public synchronized void write(List<ServiceHost> hosts) throws IOException {
    String text = text(ownName(), hosts);
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
    write(own, asSeenBy(ip, written.isEmpty() ? text(ownName(), List.of()) : written));
    return own;
  }

  /** The same names, but a pod is its own {@code localhost}. */
  static String asSeenBy(String ip, String text) {
    return ip + text.substring(THIS_MACHINE.length());
  }

  private static void write(Path target, String text) throws IOException {
    PlacedFile.write(target, text.getBytes(StandardCharsets.UTF_8), 0644);
  }

  /** The content; a short name that two namespaces have means the first one's Service. */
  static String text(String ownName, List<ServiceHost> hosts) {
    StringBuilder text = new StringBuilder(THIS_MACHINE + " localhost " + ownName + "\n");
    Map<String, String> owners = new HashMap<>(Map.of("localhost", ""));
    owners.put(ownName, "");
    for (ServiceHost host : hosts) {
      String full = host.names().get(0);
      List<String> names =
          host.names().stream()
              .filter(name -> name.contains(".") || owner(owners, name, full).equals(full))
              .toList();
      text.append(host.address()).append(' ').append(String.join(" ", names)).append('\n');
    }
    return text.toString();
  }

  private static String owner(Map<String, String> owners, String name, String full) {
    return owners.computeIfAbsent(name, first -> full);
  }

  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
