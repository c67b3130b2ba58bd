package dev.sluice.local.node.service;

import dev.sluice.local.node.container.Trees;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files for {@code -Djdk.net.hosts.file}, one for each pod. That option replaces DNS
 * altogether, so this machine's own names are in them too.
 *
 * <p>In a pod's file {@code localhost} is the pod, as it is in a container: the processes of a pod
 * listen on the pod's address only, and Flink 1.20 looks for its blob server on {@code localhost}.
 */
public final class HostsFiles {
  private static final String NAME = "hosts";

  private final Path pods;
  private final String nobody;
  private final List<String> own;
  private @Nullable String services;

  /**
   * @param pods the folder of all pods
   * @param nobody the address of Services without pods
   */
  public HostsFiles(Path pods, String nobody) {
    this.pods = pods;
    this.nobody = nobody;
    this.own = List.of("localhost", machine());
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // it has no other name
    }
  }

  /** Writes the names of Services for all pods; nothing when they are as before. */
  public synchronized void write(Collection<Service> all, Collection<Pod> targets)
      throws IOException {
    String lines = ServiceNames.lines(all, targets, nobody, own);
    if (lines.equals(services)) {
      return;
    }
    services = lines;
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(pods)) {
      for (Path pod : folders) {
        Path file = pod.resolve(NAME);
        if (Files.exists(file)) {
          ofPod(pod, Files.readString(file).split(" ", 2)[0]);
        }
      }
    }
  }

  /**
   * The file of one pod, kept up to date from now on.
   *
   * @param pod the pod's folder
   * @param ip the pod's address
   */
  public synchronized Path ofPod(Path pod, String ip) throws IOException {
    Path file = pod.resolve(NAME);
    String text = ip + " " + String.join(" ", own) + "\n" + (services == null ? "" : services);
    Trees.write(file, text.getBytes(StandardCharsets.UTF_8), 0644);
    return file;
  }
}
