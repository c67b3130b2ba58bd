package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.node.Laptop.Cluster;
import dev.sluice.local.os.Resources;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real Flink in the pods of a FlinkApplication, and the job that their image brings. */
@Tag("node")
@ExtendWith(Laptop.class)
class FlinkApplicationIT {
  private static final Map<String, String> APPS =
      Map.of("older", "flink:1.20", "newer", "flink:2.2");
  private static final String JOB = "0123456789abcdef0123456789abcdef";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Cluster cluster;
  private final HttpClient http = HttpClient.newHttpClient();

  FlinkApplicationIT(Cluster cluster) {
    this.cluster = cluster;
  }

  /** All at once, as each waits for the first readiness probe of its JobManager. */
  @BeforeAll
  static void apply(Cluster cluster, @TempDir Path folder) throws Exception {
    byte[] manifests = Resources.bytes(FlinkApplicationIT.class, "flink-application.yaml");
    for (Map.Entry<String, String> app : APPS.entrySet()) {
      // with an empty cache Maven downloads Flink, for minutes
      assertThat(new FlinkImages().pull(app.getValue())).isPresent();
      String objects =
          new String(manifests, StandardCharsets.UTF_8)
              .replace("THE-APP", app.getKey())
              .replace("THE-IMAGE", app.getValue());
      Path file = Files.writeString(folder.resolve(app.getKey() + ".yaml"), objects);
      cluster.kubectl("apply", "--namespace", cluster.namespace(), "-f", file.toString());
    }
  }

  @AfterAll
  static void delete(Cluster cluster) throws Exception {
    cluster.kubectl("delete", "--namespace", cluster.namespace(), "deployments", "--all");
    cluster
        .awaiting("no pods")
        .until(
            () -> cluster.client().pods().inNamespace(cluster.namespace()).list().getItems(),
            List::isEmpty);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "older | {\"programArgs\": \"--rate 500 --keys 7\"}",
        "newer | {\"programArgsList\": [\"--rate\", \"500\", \"--keys\", \"7\"]}"
      })
  void theJarOfTheImageRunsByItsNameAndWithItsArguments(String app, String arguments)
      throws Exception {
    // given a TaskManager that has found its JobManager by the Service of this version
    awaiting("the slots of " + app)
        .untilAsserted(
            () -> assertThat(get(app, "/overview").path("slots-available").asInt()).isEqualTo(2));

    // when the jar is run with an id for its job
    HttpResponse<String> answer =
        http.send(
            request(app, "/jars/counter-job.jar/run")
                .POST(HttpRequest.BodyPublishers.ofString(body(arguments)))
                .build(),
            HttpResponse.BodyHandlers.ofString());

    // then the job has this id, and its arguments
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(JSON.readTree(answer.body()).path("jobid").asText()).isEqualTo(JOB);
    awaiting("what the job of " + app + " counts")
        .untilAsserted(
            () -> assertThat(Counts.read(rest(app), JOB)).map(Counts::keys).hasValue(7L));
    assertThat(get(app, "/jobs/" + JOB).path("state").asText()).isEqualTo("RUNNING");
  }

  private static String body(String arguments) throws IOException {
    ObjectNode body = (ObjectNode) JSON.readTree(arguments);
    body.put("entryClass", "dev.sluice.sample.CounterJob");
    return body.put("parallelism", 2).put("jobId", JOB).toString();
  }

  private ConditionFactory awaiting(String what) {
    return cluster.awaiting(what).ignoreExceptionsInstanceOf(IOException.class);
  }

  private JsonNode get(String app, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(request(app, path).build(), HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(answer.body());
  }

  private HttpRequest.Builder request(String app, String path) throws IOException {
    return HttpRequest.newBuilder(URI.create(rest(app) + path))
        .header("Content-Type", "application/json");
  }

  private String rest(String app) throws IOException {
    List<Pod> jobManagers =
        cluster
            .client()
            .pods()
            .inNamespace(cluster.namespace())
            .withLabel("flink-app", app)
            .withLabel("flink-deployment-type", "jobmanager")
            .list()
            .getItems();
    if (jobManagers.isEmpty() || jobManagers.get(0).getStatus().getPodIP() == null) {
      throw new IOException("The JobManager of " + app + " has no address");
    }
    return "http://%s:8081".formatted(jobManagers.get(0).getStatus().getPodIP());
  }
}
