package dev.sluice.gates;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A source file of the tests.
 *
 * @param path relative to the repository
 */
record TestSource(String path, String text) {

  static List<TestSource> all() throws IOException {
    List<TestSource> tests = new ArrayList<>();
    for (Path file : Sources.files()) {
      if (file.toString().contains("/src/test/java/")) {
        String path = Sources.REPOSITORY.relativize(file).toString();
        tests.add(new TestSource(path, Files.readString(file)));
      }
    }
    return tests;
  }

  String className() {
    return path.replaceFirst(".*/src/test/java/", "")
        .replaceFirst("\\.java$", "")
        .replace('/', '.');
  }

  /** Whether one of the endings is that of the path. */
  boolean isOneOf(Iterable<String> endings) {
    for (String ending : endings) {
      if (path.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }
}
