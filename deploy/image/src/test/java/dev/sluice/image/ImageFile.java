package dev.sluice.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The image as Maven has written it, unpacked.
 *
 * @param root what a container of it sees
 * @param config how a container of it is run
 * @param entries what its own layers add, as {@code tar} lists it: mode, owner, size, time, path
 */
record ImageFile(Path root, JsonNode config, List<String> entries) {

  static final Path TARGET = Path.of("target").toAbsolutePath();

  /** The tarball that Maven has written first. */
  static final Path FIRST = TARGET.resolve("sluice-image.tar");

  /** The same once more. */
  static final Path AGAIN = TARGET.resolve("again/sluice-image.tar");

  /** Unpacks a tarball of the format of {@code docker save} into an empty folder. */
  static ImageFile unpacked(Path tarball, Path folder) throws IOException {
    Path parts = Files.createDirectories(folder.resolve("parts"));
    Path root = Files.createDirectories(folder.resolve("root"));
    Shell.run("tar", "-xf", tarball.toString(), "-C", parts.toString());
    ObjectMapper json = new ObjectMapper();
    JsonNode manifest = json.readTree(parts.resolve("manifest.json").toFile()).path(0);
    JsonNode config = json.readTree(parts.resolve(manifest.path("Config").asText()).toFile());
    List<JsonNode> history = new ArrayList<>();
    config.path("history").forEach(it -> add(history, it));
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < manifest.path("Layers").size(); i++) {
      String layer = parts.resolve(manifest.path("Layers").path(i).asText()).toString();
      Shell.run("tar", "-xzf", layer, "-C", root.toString());
      if (history.get(i).path("author").asText().equals("Jib")) {
        Shell.run("tar", "--full-time", "-tvzf", layer).lines().forEach(entries::add);
      }
    }
    for (String mountPoint : List.of("dev", "proc", "tmp")) {
      Files.createDirectories(root.resolve(mountPoint));
    }
    return new ImageFile(root, config.path("config"), entries);
  }

  private static void add(List<JsonNode> history, JsonNode step) {
    if (!step.path("empty_layer").asBoolean()) {
      history.add(step);
    }
  }

  /** What a container runs. */
  List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    config.path("Entrypoint").forEach(word -> command.add(word.asText()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** The variables of a container. */
  Map<String, String> environment() {
    Map<String, String> variables = new TreeMap<>();
    for (JsonNode variable : config.path("Env")) {
      String[] keyAndValue = variable.asText().split("=", 2);
      variables.put(keyAndValue[0], keyAndValue[1]);
    }
    return variables;
  }

  /** A label without {@code org.opencontainers.image.}. */
  String label(String name) {
    return config.path("Labels").path("org.opencontainers.image." + name).asText();
  }
}
