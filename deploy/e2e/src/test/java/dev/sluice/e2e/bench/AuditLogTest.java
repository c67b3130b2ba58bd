package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditLogTest {

  private static final String WORKER = "system:serviceaccount:sluice-system:sluice-worker";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "create, events, 1, 0, 0",
    "update, flinkdeployments, 1, 0, 0",
    "patch, flinkdeployments, 1, 0, 0",
    "delete, deployments, 1, 0, 0",
    "deletecollection, configmaps, 1, 0, 0",
    "get, flinkdeployments, 0, 0, 1",
    "list, pods, 0, 0, 1",
    "watch, pods, 0, 0, 1",
    "update, leases, 0, 1, 0",
    "get, leases, 0, 1, 0",
    "create, selfsubjectaccessreviews, 0, 0, 1"
  })
  void eachCallIsAWriteOrAReadOrAboutALease(
      String verb, String resource, int writes, int leases, int reads) {
    CallCount count = AuditLog.count(List.of(event(WORKER, verb, resource)));

    assertThat(List.of(count.writes(), count.leases(), count.reads()))
        .containsExactly((long) writes, (long) leases, (long) reads);
  }

  @Test
  void aDryRunIsNoWrite() {
    String patch = event(WORKER, "patch", "deployments");
    String dryRun =
        patch.replaceFirst("\\{", "{\"requestURI\":\"/apis/apps/v1/x?dryRun=All&force=true\",");

    CallCount count = AuditLog.count(List.of(dryRun));

    assertThat(List.of(count.writes(), count.reads())).containsExactly(0L, 1L);
  }

  @Test
  void callsOfOthersDoNotCount() {
    CallCount count = AuditLog.count(List.of(event("admin", "patch", "flinkdeployments")));

    assertThat(count.calls()).isEmpty();
  }

  @Test
  void writesAreToldByProgramVerbAndResource() {
    String patch = event(WORKER, "patch", "flinkdeployments\",\"subresource\":\"status");

    assertThat(AuditLog.count(List.of(patch, patch, event(WORKER, "get", "pods"))).writesByKind())
        .isEqualTo("2 worker patch flinkdeployments/status");
  }

  @Test
  void onlyWhatCameAfterAPositionIsRead() throws IOException {
    Path file = folder.resolve("audit.log");
    Files.writeString(file, event(WORKER, "patch", "flinkdeployments") + "\n");
    AuditLog log = new AuditLog(file);
    long position = log.end();

    Files.writeString(file, event(WORKER, "get", "pods") + "\n", StandardOpenOption.APPEND);

    assertThat(log.since(position).calls())
        .containsExactly(new ApiCall("sluice-worker", "get", "pods", 200));
  }

  private static String event(String user, String verb, String resource) {
    return """
    {"kind":"Event","stage":"ResponseComplete","verb":"%s","user":{"username":"%s"},\
    "objectRef":{"resource":"%s"},"responseStatus":{"code":200}}"""
        .formatted(verb, user, resource);
  }
}
