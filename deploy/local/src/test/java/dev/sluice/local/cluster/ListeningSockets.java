package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The addresses that processes listen on, in the kernel's notation: see proc_net(5). */
final class ListeningSockets {

  private static final String LISTENING = "0A";

  private ListeningSockets() {}

  /** Such as {@code 0100007F:4268} for 127.0.0.1:17000, bytes of each word in reverse. */
  static List<String> of(List<Long> pids) throws IOException {
    Set<String> own = new HashSet<>();
    for (long pid : pids) {
      try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
        for (Path file : files.toList()) {
          own.add(target(file));
        }
      } catch (NoSuchFileException e) {
        continue; // it has ended
      }
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals(LISTENING) && own.contains("socket:[" + fields[9] + "]")) {
          addresses.add(fields[1]);
        }
      }
    }
    return addresses;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
