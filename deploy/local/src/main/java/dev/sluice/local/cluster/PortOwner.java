package dev.sluice.local.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells who holds a port. */
final class PortOwner {
  private static final String LISTENING = "0A";

  private PortOwner() {}

  /** Whether something can listen on 127.0.0.1:port now. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Pid and command line of the listener, as far as the kernel lets this user see them. */
  static String describe(int port) {
    Set<String> sockets =
        Stream.of("tcp", "tcp6")
            .flatMap(table -> sockets(lines(Path.of("/proc/net", table)), port))
            .collect(Collectors.toSet());
    return ProcessHandle.allProcesses()
        .filter(process -> holdsOne(process.pid(), sockets))
        .findFirst()
        .map(it -> "pid %d (%.100s)".formatted(it.pid(), it.info().commandLine().orElse("?")))
        .orElse("a process of another user");
  }

  /** The sockets in lines of /proc/net/tcp that listen on a port, see proc_net(5). */
  static Stream<String> sockets(List<String> lines, int port) {
    return lines.stream()
        .map(line -> line.strip().split("\\s+", -1))
        .filter(fields -> fields.length > 9 && fields[3].equals(LISTENING))
        .filter(fields -> fields[1].endsWith(":%04X".formatted(port)))
        .map(fields -> "socket:[" + fields[9] + "]");
  }

  private static boolean holdsOne(long pid, Set<String> sockets) {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return files.anyMatch(file -> sockets.contains(target(file)));
    } catch (IOException | RuntimeException e) {
      return false; // it ends, or belongs to another user
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
