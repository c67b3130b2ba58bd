package dev.sluice.e2e.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What Sluice has written: statuses, metadata of what it made, events, histories, logs and metrics.
 * Left out are the copies of a spec, which have what the spec has: {@code
 * status.reconciliationStatus}, ControllerRevisions, pods and ConfigMaps.
 */
public final class Writings {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PAYLOAD = Pattern.compile("\"data\": *\"([A-Za-z0-9+/=]+)\"");
  private static final List<String> COPIES = List.of("lastReconciledSpec", "lastStableSpec");

  private final TestCluster cluster;
  private final String namespace;
  private final Map<String, String> texts = new TreeMap<>();

  private Writings(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /** By the place where it is written. */
  public static Map<String, String> of(Scene scene) throws IOException, InterruptedException {
    Writings writings = new Writings(scene.cluster(), scene.namespace());
    writings.statuses();
    writings.objects();
    writings.histories();
    writings.logs();
    writings.metrics();
    return writings.texts;
  }

  private JsonNode get(String kinds) throws IOException {
    String json = cluster.kubectl().run("get", kinds, "-n", namespace, "-o", "json");
    return JSON.readTree(json).path("items");
  }

  private static String name(JsonNode object) {
    return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
  }

  private void statuses() throws IOException {
    for (JsonNode resource : get("flinkdep,flinksessionjob,flinksnp,flinkbgdep")) {
      JsonNode status = resource.path("status");
      if (status.path("reconciliationStatus") instanceof ObjectNode copies) {
        copies.remove(COPIES);
      }
      texts.put("status of " + name(resource), status.toString());
    }
  }

  private void objects() throws IOException {
    for (JsonNode object : get("deploy,svc,configmaps,controllerrevisions")) {
      texts.put("metadata of " + name(object), object.path("metadata").toString());
    }
    for (JsonNode event : get("events")) {
      texts.put(name(event), event.toString());
    }
  }

  private void histories() {
    String mine = "FlinkNamespace = '" + namespace + "'";
    for (WorkflowExecutionMetadata run : cluster.temporal().listExecutions(mine).toList()) {
      String id = run.getExecution().getWorkflowId();
      String history =
          cluster.temporal().fetchHistory(id, run.getExecution().getRunId()).toJson(true);
      StringBuilder text = new StringBuilder(history);
      PAYLOAD
          .matcher(history)
          .results()
          .map(it -> new String(Base64.getDecoder().decode(it.group(1)), StandardCharsets.UTF_8))
          .forEach(it -> text.append(it).append('\n'));
      texts.put("history of " + id + " " + run.getExecution().getRunId(), text.toString());
    }
  }

  private void logs() throws IOException {
    for (String folder : List.of("pods", "ended")) {
      Path all = cluster.home().resolve("node").resolve(folder);
      try (Stream<Path> files = Files.find(all, 4, (file, attributes) -> isOwnLog(file))) {
        for (Path file : files.toList()) {
          texts.put(
              "log " + all.getFileName() + "/" + all.relativize(file), Files.readString(file));
        }
      }
    }
  }

  private static boolean isOwnLog(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file)
        && (name.equals("log") || name.endsWith(".log"))
        && file.toString().contains("/" + OperatorPod.NAMESPACE + "_");
  }

  private void metrics() throws InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    for (String component : List.of("controller", "worker")) {
      Pod pod = OperatorPod.of(cluster.kubernetes(), component).pod();
      URI uri = URI.create("http://" + pod.getStatus().getPodIP() + ":8080/metrics");
      try {
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        texts.put(
            "metrics of " + component,
            client.send(request, HttpResponse.BodyHandlers.ofString()).body());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
