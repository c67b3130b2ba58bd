package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.Writings;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.SessionJob;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people keep secret, in every place that a spec has for it, and in what Flink says of it. */
@Tag("e2e")
@OnTestCluster
class SecretsIT {

  /** How each planted secret begins, and nothing else. */
  private static final String PLANTED = "pl4nted-";

  private static final String HEADER = "kubernetes.operator.user.artifacts.http.header";

  @Test
  void noSecretOfASpecIsWrittenAnywhereElse(Scene scene) throws Exception {
    // given
    Job session = SessionJob.cluster(scene, "session", "flink:2.2");
    session.deploy(cluster(session, "1"));
    SessionJob job = new SessionJob(scene.cluster(), session, "clicks");
    Path broken = session.state().resolve("password=" + PLANTED + "in-an-exception");

    try (Jars jars = new Jars(SessionJob.jar(session))) {
      // when the server repeats the secrets that it refuses
      Manifest refused = job(job, jars, "1").plusArgs("--api-token");
      job.apply(refused);
      job.await("told why", it -> it.toString().contains("403"));
      jars.allow();

      // and the program those that it does not take
      job.await("told why", it -> it.toString().contains("Expected pairs"));

      // and the job runs, is changed and fails
      Manifest right = refused.args("--rate", "25", "--fail-while-file", broken.toString());
      job.deploy(right);
      job.deploy(secrets(right, jars, "2").parallelism(2));
      Files.createFile(broken);
      job.await("told why", it -> it.json().toString().contains("Told to fail while"));
    }

    // and its cluster is changed, and refused
    session.deploy(cluster(session, "2"));
    session.apply(cluster(session, "3").spec("jobManager", jobManager("3", "no=name")));
    session.await("told why", it -> it.toString().contains("no=name"));

    // then
    Map<String, String> writings = Writings.of(scene);
    assertThat(places(writings, "Told to fail while"))
        .as("the failure is reported, without the path")
        .contains("status of FlinkSessionJob clicks");
    for (String place : List.of("Event ", "history ", "log pods/sluice", "metrics ")) {
      assertThat(writings.keySet()).anyMatch(it -> it.contains(place));
    }
    assertThat(places(writings, PLANTED)).isEmpty();

    // its cluster goes once it is gone
    job.delete();
  }

  private static List<String> places(Map<String, String> writings, String text) {
    return writings.entrySet().stream()
        .filter(it -> it.getValue().contains(text))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  private static Manifest cluster(Job session, String version) {
    return session
        .manifest("session.yaml")
        .spec("jobManager", jobManager(version, "ACCESS_KEY"))
        .config("s3.secret-key", PLANTED + "key" + version)
        .config("web.api-token", PLANTED + "token" + version)
        .config("containerized.master.env.CLOUD_TOKEN", PLANTED + "of-master" + version)
        .config(
            "env.java.opts.jobmanager",
            "-Djavax.net.ssl.trustStorePassword=" + PLANTED + "option" + version);
  }

  private static Map<String, Object> jobManager(String version, String name) {
    List<Map<String, String>> env =
        List.of(
            Map.of("name", "DB_PASSWORD", "value", PLANTED + "env" + version),
            Map.of("name", name, "value", PLANTED + "variable" + version));
    Map<String, Object> container = Map.of("name", "flink-main-container", "env", env);
    return Map.of(
        "resource",
        Map.of("memory", "208m", "cpu", 0.5),
        "podTemplate",
        Map.of("spec", Map.of("containers", List.of(container))));
  }

  private static Manifest job(SessionJob job, Jars jars, String version) {
    return secrets(
        job.manifest()
            .config("restart-strategy.type", "none")
            .args("--rate", "25", "--db-password", PLANTED + "argument"),
        jars,
        version);
  }

  private static Manifest secrets(Manifest of, Jars jars, String version) {
    return of.jar(jars.uri(version))
        .config(HEADER, "Authorization:Bearer " + PLANTED + "header" + version)
        .config("my.private-key", PLANTED + "private" + version);
  }

  /** A server of one jar that answers 403, and says what it was sent, until it is told not to. */
  private static final class Jars implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger status = new AtomicInteger(403);

    Jars(Path jar) throws Exception {
      byte[] whole = Files.readAllBytes(jar);
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/job.jar",
          exchange -> {
            String sent = exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet();
            byte[] body = status.get() == 200 ? whole : sent.getBytes(StandardCharsets.UTF_8);
            try (exchange) {
              exchange.sendResponseHeaders(status.get(), body.length);
              exchange.getResponseBody().write(body);
            }
          });
      server.start();
    }

    String uri(String version) {
      return "http://user:%1$sin-uri%2$s@127.0.0.1:%3$d/job.jar?sig=%1$squery%2$s"
          .formatted(PLANTED, version, server.getAddress().getPort());
    }

    void allow() {
      status.set(200);
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
