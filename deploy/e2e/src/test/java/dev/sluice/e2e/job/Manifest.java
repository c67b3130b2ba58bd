package dev.sluice.e2e.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A FlinkDeployment as a file: the example that ships with the laptop cluster, and changes of it.
 */
public final class Manifest {

  /** A key of the Flink configuration that tells the specs of a test apart. */
  public static final String ROUND = "e2e.round";

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String STATE = "/tmp/sluice/flink-data";

  /** Of a busy machine, on which a process that is silent for seconds is not dead. */
  private static final Map<String, String> PATIENT =
      Map.of(
          "heartbeat.interval", "5000",
          "heartbeat.timeout", "60000",
          "pekko.ask.timeout", "60 s",
          "high-availability.kubernetes.leader-election.lease-duration", "60 s",
          "high-availability.kubernetes.leader-election.renew-deadline", "60 s");

  private static final Map<String, String> QUICK =
      Map.of(
          "heartbeat.interval", "2000",
          "heartbeat.timeout", "6000",
          "high-availability.kubernetes.leader-election.lease-duration", "5 s",
          "high-availability.kubernetes.leader-election.renew-deadline", "5 s");

  private final ObjectNode root;

  private Manifest(ObjectNode root) {
    this.root = root;
  }

  /**
   * An example.
   *
   * @param file in {@code deploy/local/examples}
   * @param state where it is to keep its state
   */
  static Manifest example(Path repository, String file, Path state) {
    return read(repository.resolve("deploy/local/examples").resolve(file), state);
  }

  /**
   * One of several in an example.
   *
   * @param name of it, there
   */
  static Manifest example(Path repository, String file, String name, Path state) {
    Path path = repository.resolve("deploy/local/examples").resolve(file);
    try (MappingIterator<ObjectNode> all =
        YAML.readerFor(ObjectNode.class).readValues(text(path, state))) {
      return all.readAll().stream()
          .map(Manifest::new)
          .filter(it -> it.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(file + " has no " + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A manifest of the sample job.
   *
   * @param state where it is to keep its state
   */
  static Manifest read(Path file, Path state) {
    return of(text(file, state));
  }

  private static String text(Path file, Path state) {
    try {
      return Files.readString(file).replace(STATE, state.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Any manifest. */
  public static Manifest of(String yaml) {
    try {
      return new Manifest((ObjectNode) YAML.readTree(yaml));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  /** No heartbeat is missed and no lease is lost because the machine is busy. */
  Manifest patient() {
    return config(PATIENT);
  }

  /** For tests that kill a JobManager: the next one takes over within seconds. */
  public Manifest quickFailover() {
    return config(QUICK);
  }

  /** Under another name. */
  public Manifest named(String namespace, String name) {
    return with(it -> it.withObject("/metadata").put("name", name).put("namespace", namespace));
  }

  /** Of a FlinkSessionJob: the session cluster that runs the job. */
  public Manifest on(String deploymentName) {
    return with(it -> it.withObject("/spec").put("deploymentName", deploymentName));
  }

  /** Where the jar of the job is. */
  public Manifest jar(String uri) {
    return with(it -> it.withObject("/spec/job").put("jarURI", uri));
  }

  public Manifest image(String image) {
    return with(it -> it.withObject("/spec").put("image", image));
  }

  public Manifest version(String flinkVersion) {
    return with(it -> it.withObject("/spec").put("flinkVersion", flinkVersion));
  }

  public Manifest parallelism(int parallelism) {
    return with(it -> it.withObject("/spec/job").put("parallelism", parallelism));
  }

  /** {@code taskManager.replicas}. */
  public Manifest taskManagers(int replicas) {
    return with(it -> it.withObject("/spec/taskManager").put("replicas", replicas));
  }

  public Manifest upgradeMode(String mode) {
    return with(it -> it.withObject("/spec/job").put("upgradeMode", mode));
  }

  /** {@code running} or {@code suspended}. */
  public Manifest jobState(String state) {
    return with(it -> it.withObject("/spec/job").put("state", state));
  }

  /** Where the job starts from, when it is new. */
  public Manifest initialSavepoint(Path savepoint) {
    return with(
        it -> it.withObject("/spec/job").put("initialSavepointPath", savepoint.toUri().toString()));
  }

  /** The FlinkStateSnapshot that the job starts from, when it is new. */
  public Manifest initialSnapshot(String namespace, String name) {
    return with(
        it ->
            it.withObject("/spec/job/flinkStateSnapshotReference")
                .put("namespace", namespace)
                .put("name", name));
  }

  /** {@code savepointRedeployNonce}: start again from that savepoint. */
  public Manifest redeployedFrom(int nonce, String savepoint) {
    return with(
        it ->
            it.withObject("/spec/job")
                .put("savepointRedeployNonce", nonce)
                .put("initialSavepointPath", savepoint));
  }

  /** Any field of the spec. */
  public Manifest spec(String field, Object value) {
    return with(it -> it.withObject("/spec").set(field, YAML.valueToTree(value)));
  }

  /** One key of the Flink configuration of a FlinkApplication. */
  public Manifest flinkConfig(String key, String value) {
    return with(it -> it.withObject("/spec/flinkConfig").put(key, value));
  }

  /** Host or path of an Ingress. */
  public Manifest ingress(String template) {
    return with(it -> it.withObject("/spec/ingress").put("template", template));
  }

  /** Another number restarts the job. */
  public Manifest restartNonce(int nonce) {
    return with(it -> it.withObject("/spec").put("restartNonce", nonce));
  }

  /** Another number requests a savepoint. */
  public Manifest savepointNonce(int nonce) {
    return with(it -> it.withObject("/spec/job").put("savepointTriggerNonce", nonce));
  }

  /** One key of the Flink configuration. */
  public Manifest config(String key, String value) {
    return with(it -> it.withObject("/spec/flinkConfiguration").put(key, value));
  }

  private Manifest config(Map<String, String> entries) {
    return with(it -> entries.forEach(it.withObject("/spec/flinkConfiguration")::put));
  }

  /** The value of a key of the Flink configuration; empty when it is not set. */
  public String flinkConfiguration(String key) {
    return root.at("/spec/flinkConfiguration").path(key).asText("");
  }

  /** More arguments of the job. */
  public Manifest plusArgs(String... args) {
    return with(it -> List.of(args).forEach(((ArrayNode) it.at("/spec/job/args"))::add));
  }

  /** The arguments of the job, all of them. */
  public Manifest args(String... args) {
    return with(it -> List.of(args).forEach(it.withObject("/spec/job").putArray("args")::add));
  }

  /** Its spec alone, as YAML with the key {@code spec}. */
  public String specText() {
    ObjectNode spec = YAML.createObjectNode();
    spec.set("spec", root.get("spec"));
    try {
      return YAML.writeValueAsString(spec).replaceFirst("^---\n", "");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name in it. */
  public String name() {
    return root.at("/metadata/name").asText();
  }

  /** As YAML. */
  public String text() {
    try {
      return YAML.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Manifest with(Consumer<ObjectNode> change) {
    ObjectNode copy = root.deepCopy();
    change.accept(copy);
    return new Manifest(copy);
  }
}
