package dev.sluice.api.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/flinkdeployment.md}. */
final class ReferencePage {
  private static final Path FILE = Path.of("../docs/flinkdeployment.md");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  private static final Pattern DOT = Pattern.compile("\\.");

  private ReferencePage() {}

  /** Everything in code quotes, whole and, for paths such as {@code job.state}, in parts. */
  static Set<String> words() {
    try {
      return CODE.matcher(Files.readString(FILE))
          .results()
          .map(match -> match.group(1))
          .flatMap(word -> Stream.concat(Stream.of(word), DOT.splitAsStream(word)))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
