package dev.sluice.local.node.service;

import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The file for {@code -Djdk.net.hosts.file}. That option replaces DNS altogether, so this machine's
 * own names are in it too; a line per address, and the JDK takes all lines of a name.
 */
public final class HostsFile {
  private final Path file;
  private String written = "";

  public HostsFile(Path file) {
    this.file = file;
  }

  /** Writes the names; nothing when they are as before. */
  public synchronized void write(List<ServiceTable.Host> hosts) throws IOException {
    String text = text(ownName(), hosts);
    if (!text.equals(written)) {
      PlacedFile.write(file, text.getBytes(StandardCharsets.UTF_8), 0644);
      written = text;
    }
  }

  /** The content; a short name that two namespaces have means the first one's Service. */
  static String text(String ownName, List<ServiceTable.Host> hosts) {
    StringBuilder text = new StringBuilder("127.0.0.1 localhost " + ownName + "\n");
    Map<String, String> owners = new HashMap<>(Map.of("localhost", ""));
    owners.put(ownName, "");
    for (ServiceTable.Host host : hosts) {
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
