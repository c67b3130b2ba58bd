package dev.sluice.e2e.docs;

import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All that people read: the pages in the repository. */
public final class Documentation {

  private static final List<String> FOLDERS = List.of("", "docs", "deploy/local/examples");

  private Documentation() {}

  /** Each command once, with the first page that has it. */
  static List<DocumentedCommand> commands() {
    Map<String, DocumentedCommand> commands = new LinkedHashMap<>();
    pages().stream()
        .flatMap(page -> page.commands().stream())
        .forEach(command -> commands.putIfAbsent(command.text(), command));
    return List.copyOf(commands.values());
  }

  /** The first command that has this in it, as it is on its page. */
  public static String command(String part) {
    return commands().stream()
        .map(DocumentedCommand::text)
        .filter(text -> text.contains(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no page has a command with " + part));
  }

  private static List<Page> pages() {
    Path root = Repository.root();
    return FOLDERS.stream()
        .flatMap(folder -> markdown(root.resolve(folder)))
        .map(file -> page(root.relativize(file).toString()))
        .toList();
  }

  /**
   * @param path in the repository
   */
  static Page page(String path) {
    return new Page(path, text(Repository.root().resolve(path)));
  }

  private static Stream<Path> markdown(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
