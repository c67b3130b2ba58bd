package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The real {@code fetch.sh} with a cache, pins, a Go, a PATH and a site of releases that a test
 * makes up. At first there is no Go, nothing on PATH, and no site.
 */
final class Fetching {

  static final Path TOOLS = Path.of("..", "local", "tools");

  private final Path folder;
  private String searchPath = "";
  private String releases = "http://127.0.0.1:1";

  Fetching(Path folder) throws IOException {
    this.folder = folder;
    for (String module : new String[] {"kubernetes", "temporal"}) {
      Files.createDirectories(tools().resolve(module));
      Files.writeString(tools().resolve(module).resolve("go.mod"), "module test");
    }
    Files.copy(TOOLS.resolve("fetch.sh"), tools().resolve("fetch.sh"));
  }

  PartsProvider provider() {
    return provider(tools());
  }

  PartsProvider provider(Path tools) {
    Map<String, String> environment =
        Map.of(
            "SLUICE_RELEASES",
            releases,
            "SLUICE_GO",
            folder.resolve("go").toString(),
            "SLUICE_PATH",
            searchPath);
    return new PartsProvider(cache(), tools.resolve("fetch.sh"), environment, Progress.silent());
  }

  CacheDirectory cache() {
    return new CacheDirectory(folder.resolve("cache"));
  }

  Path tools() {
    return folder.resolve("tools");
  }

  Fetching searchPath(String path) {
    searchPath = path;
    return this;
  }

  Fetching releases(String url) {
    releases = url;
    return this;
  }

  /**
   * A Go.
   *
   * @param build what it does to build: {@code $7} is the binary, {@code $8} the package
   */
  Fetching go(String version, String build) throws IOException {
    script(
        folder.resolve("go"),
        "if [ \"$1\" = version ]; then echo 'go version " + version + "'; exit; fi\n" + build);
    return this;
  }

  /** A Go that makes a binary with a shell script as its body, and writes a line to "runs". */
  Fetching making(String body) throws IOException {
    return go(
        "go1.26.8",
        """
        echo run >>'%s'
        printf '#!/bin/sh\\n%%s\\n' '%s' >"$7"
        chmod +x "$7"
        """
            .formatted(runs(), body));
  }

  Path runs() {
    return folder.resolve("runs");
  }

  /** A program with a shell script as its body. */
  static Path script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
    return file;
  }

  /** Operating system and processor, named as Kubernetes names them. */
  static String platform() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT)
        + "-"
        + System.getProperty("os.arch").replace("x86_64", "amd64").replace("aarch64", "arm64");
  }
}
