package dev.sluice.local.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The runs of one resource in Temporal, read through its HTTP API. */
public final class Lane {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private final ClusterConfig config;
  private final String workflowId;

  /**
   * @param workflowId see {@link DeploymentView#lane()}
   */
  public Lane(ClusterConfig config, String workflowId) {
    this.config = config;
    this.workflowId = workflowId;
  }

  /** The run that is open, or else the last one; empty when there was none yet. */
  public Optional<RunView> latest() {
    return get("").map(RunView::of);
  }

  /** Steps of a run. */
  public List<StepSeen> steps(String runId) {
    return get("/history?execution.runId=" + runId).map(StepSeen::all).orElse(List.of());
  }

  /** The page of a run in Temporal's Web UI. */
  public String page(String runId) {
    return "%s/namespaces/default/workflows/%s/%s/history"
        .formatted(config.temporalUi(), workflowId, runId);
  }

  private Optional<JsonNode> get(String path) {
    String url =
        "http://127.0.0.1:%d/api/v1/namespaces/default/workflows/%s%s"
            .formatted(config.ports().temporalHttp(), workflowId, path);
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 404) {
        return Optional.empty();
      }
      if (response.statusCode() != 200) {
        throw new IOException("answered " + response.statusCode() + ": " + response.body());
      }
      return Optional.of(JSON.readTree(response.body()));
    } catch (IOException e) {
      throw new ClusterException(
          "Temporal does not say how " + workflowId + " is: GET " + url + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted", e);
    }
  }
}
