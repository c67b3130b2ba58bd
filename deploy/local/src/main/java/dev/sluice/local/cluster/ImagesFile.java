package dev.sluice.local.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.local.jvm.SmallJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The catalogue {@code images.json}: which command the node starts for an image that is one of our
 * own programs.
 *
 * @param applications those that Maven has built, by image
 */
record ImagesFile(Map<String, Application> applications) {

  /** Image names and main classes of our programs; an image is built from the module it names. */
  private static final Map<String, String> MAIN_CLASSES =
      Map.of(
          "sluice/controller:dev", "dev.sluice.controller.ControllerMain",
          "sluice/worker:dev", "dev.sluice.worker.WorkerMain");

  private static final int HEAP_MEGABYTES = 160;

  static ImagesFile built(Path root) {
    Map<String, Application> applications = new TreeMap<>();
    for (String image : MAIN_CLASSES.keySet()) {
      String module = image.substring(image.indexOf('/') + 1, image.indexOf(':'));
      Application.built(root, module).ifPresent(built -> applications.put(image, built));
    }
    return new ImagesFile(applications);
  }

  static Path file(ClusterConfig config) {
    return config.home().resolve("images.json");
  }

  /** What an image runs; empty for one that is not ours or not built. */
  Optional<Application> application(String image) {
    return Optional.ofNullable(applications.get(image));
  }

  /** Whether an image is one of our own programs, built or not. */
  static boolean isOurs(String image) {
    return MAIN_CLASSES.containsKey(image);
  }

  /** The catalogue for a cluster in {@code home}. */
  String json(Path home) {
    Map<String, Object> images = new TreeMap<>();
    applications.forEach(
        (image, application) ->
            images.put(
                image,
                Map.of(
                    "command",
                    command(image, application, home),
                    "env",
                    Map.of("MALLOC_ARENA_MAX", "2"))));
    try {
      return new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .writeValueAsString(Map.of("images", images));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of strings are JSON", e);
    }
  }

  private static List<String> command(String image, Application application, Path home) {
    List<String> command = new ArrayList<>(application.classArchive(home).command());
    command.addAll(SmallJvm.flags(HEAP_MEGABYTES));
    // $(...) is expanded by the node
    command.add("-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)");
    // a Service name means its pods, which come and go
    command.add("-Dsun.net.inetaddr.ttl=1");
    command.addAll(List.of("-cp", application.classPath(home)));
    command.add(MAIN_CLASSES.getOrDefault(image, ""));
    return command;
  }
}
