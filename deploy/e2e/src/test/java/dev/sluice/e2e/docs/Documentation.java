package dev.sluice.e2e.docs;

import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages in the repository, and the commands on them. */
public final class Documentation {

  private static final List<String> FOLDERS = List.of("", "docs", "deploy/local/examples");

  private Documentation() {}

  /** The first kubectl command that has this in it, as it is on its page. */
  public static String command(String part) {
    return commands("kubectl").stream()
        .filter(it -> it.contains(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no page has a command with " + part));
  }

  /** The commands of a program, each once: lines of code, without their comments, and spans. */
  static List<String> commands(String program) {
    Pattern command =
        Pattern.compile(
            "(?m)^ *(%1$s [^`\\n]+?)(?: +# .*)?$|`(%1$s (?:(?!\\n\\n)[^`])+)`".formatted(program));
    return pages().values().stream()
        .map(page -> page.replaceAll("\\\\\\n\\s*", ""))
        .flatMap(page -> command.matcher(page).results())
        .map(it -> it.group(1) == null ? it.group(2) : it.group(1))
        .map(it -> it.strip().replaceAll("\\s+", " "))
        .distinct()
        .toList();
  }

  /** The text of each page, by its path in the repository. */
  static Map<String, String> pages() {
    Map<String, String> pages = new TreeMap<>();
    Path root = Repository.root();
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .forEach(file -> pages.put(root.relativize(file).toString(), text(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return pages;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
