package dev.sluice.local.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
    try {
      for (Path table : List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"))) {
        if (!Files.exists(table)) {
          continue;
        }
        for (String line : Files.readAllLines(table)) {
          Optional<Long> owner = inode(line, port).flatMap(PortOwner::holder);
          if (owner.isPresent()) {
            String command =
                ProcessHandle.of(owner.get()).flatMap(h -> h.info().commandLine()).orElse("?");
            return "pid " + owner.get() + " (" + abbreviated(command) + ")";
          }
        }
      }
    } catch (IOException e) {
      return "a process that cannot be looked up (" + e.getMessage() + ")";
    }
    return "a process of another user";
  }

  /** The socket's inode when a line of /proc/net/tcp is a listener on the port. See proc_net(5). */
  static Optional<String> inode(String line, int port) {
    String[] fields = line.strip().split("\\s+", -1);
    boolean listens =
        fields.length > 9
            && fields[3].equals(LISTENING)
            && fields[1].endsWith(":%04X".formatted(port));
    return listens ? Optional.of(fields[9]) : Optional.empty();
  }

  private static Optional<Long> holder(String inode) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> holds(pid, inode))
        .findFirst();
  }

  private static boolean holds(long pid, String inode) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path file : files) {
        if (Files.readSymbolicLink(file).toString().equals("socket:[" + inode + "]")) {
          return true;
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return false;
    }
    return false;
  }

  private static String abbreviated(String command) {
    return command.length() > 100 ? command.substring(0, 100) + "..." : command;
  }
}
