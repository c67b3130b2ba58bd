package dev.sluice.local.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.local.node.process.SmallJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The catalogue {@code images.json}: which command the node starts for an image that is one of our
 * own programs.
 */
final class ImagesFile {

  /** Image names and the modules they are built from. */
  private static final Map<String, String> MODULES =
      Map.of("sluice/controller:dev", "controller", "sluice/worker:dev", "worker");

  private static final Map<String, String> MAIN_CLASSES =
      Map.of(
          "controller", "dev.sluice.controller.ControllerMain",
          "worker", "dev.sluice.worker.WorkerMain");

  private static final int HEAP_MEGABYTES = 160;

  private final Map<String, Application> applications;

  private ImagesFile(Map<String, Application> applications) {
    this.applications = Map.copyOf(applications);
  }

  /** Those that Maven has built. */
  static ImagesFile built(Path root) {
    Map<String, Application> applications = new TreeMap<>();
    MODULES.forEach(
        (image, module) ->
            Application.built(root, module).ifPresent(built -> applications.put(image, built)));
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
    return MODULES.containsKey(image);
  }

  /** All programs, to be staged. */
  List<Application> applications() {
    return List.copyOf(applications.values());
  }

  /** The catalogue for a cluster in {@code home}. */
  String json(Path home) {
    Map<String, Object> images = new TreeMap<>();
    applications.forEach((image, application) -> images.put(image, entry(application, home)));
    try {
      return new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValueAsString(Map.of("images", images));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of strings are JSON", e);
    }
  }

  private static Map<String, Object> entry(Application application, Path home) {
    List<String> command = new ArrayList<>(application.classArchive(home).command());
    command.addAll(SmallJvm.flags(HEAP_MEGABYTES));
    // $(...) is expanded by the node
    command.add("-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)");
    command.add("-cp");
    command.add(application.classPath(home));
    command.add(MAIN_CLASSES.getOrDefault(application.name(), ""));
    return new TreeMap<>(Map.of("command", command, "env", Map.of("MALLOC_ARENA_MAX", "2")));
  }
}
