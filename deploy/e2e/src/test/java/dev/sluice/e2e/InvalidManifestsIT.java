package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.cluster.Kubectl.Result;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every manifest of api/src/test/resources/manifests/invalid, as a change of a running job. */
@Tag("e2e")
@OnTestCluster
class InvalidManifestsIT {

  /** Mistakes that are possible in a new resource only: a change to them is refused as a change. */
  private static final List<String> NEW =
      List.of(
          "name-starts-with-digit",
          "name-too-long",
          "name-with-dots",
          "not-yet-standalone-session");

  @Test
  void eachIsRefusedWithItsFieldAndTheRunningJobStaysUntouched(Scene scene) throws IOException {
    // given
    Job job = scene.deployed("steady");
    Manifest good = job.applied();
    List<String> runs = job.lane().types();
    String pod = jobManager(job);
    List<String> jobs = job.flink().jobs();
    List<InvalidManifest> invalid = InvalidManifest.all(scene.cluster().local().config().root());
    assertThat(invalid).hasSizeGreaterThanOrEqualTo(30);

    // when
    List<String> wrong = new ArrayList<>();
    for (InvalidManifest manifest : invalid) {
      wrong.addAll(
          NEW.contains(manifest.name())
              ? create(scene, job, manifest)
              : change(scene, job, manifest));
    }

    // then
    assertThat(wrong).isEmpty();
    assertThat(jobManager(job)).isEqualTo(pod);
    assertThat(job.flink().jobs()).isEqualTo(jobs);
    assertThat(job.lane().types()).isEqualTo(runs);
    job.deploy(good);
    assertThat(job.counts().exact()).isTrue();
    assertThat(job.flink().jobs()).isEqualTo(jobs);
  }

  private static List<String> change(Scene scene, Job job, InvalidManifest manifest) {
    String text = job.manifest().specOf(manifest.manifest()).text();
    return refused(scene, job, manifest, scene.cluster().kubectl().tryApply(text));
  }

  private static List<String> create(Scene scene, Job steady, InvalidManifest manifest) {
    String name = manifest.manifest().name();
    Job job = new Job(scene.cluster(), steady.namespace(), name);
    String text = manifest.manifest().named(steady.namespace(), name).text();
    List<String> wrong = refused(scene, job, manifest, scene.cluster().kubectl().tryApply(text));
    job.find().ifPresent(it -> job.discard());
    return wrong;
  }

  private static List<String> refused(
      Scene scene, Job job, InvalidManifest manifest, Result applied) {
    if (!manifest.apiServer().isEmpty()) {
      return applied.ok() || !applied.output().contains(manifest.apiServer())
          ? List.of(manifest.name() + ": the API server said: " + applied.output())
          : List.of();
    }
    if (!applied.ok()) {
      return List.of(manifest.name() + ": kubectl said: " + applied.output());
    }
    try {
      job.await("refused", it -> it.isStalled() && tells(it, manifest));
      job.await(
          "told as an event",
          it ->
              events(scene, job).stream()
                  .anyMatch(message -> message.contains(manifest.expected().get(0))));
      return List.of();
    } catch (AssertionError e) {
      return List.of(manifest.name() + ": " + e.getMessage() + job.get().message("Stalled"));
    }
  }

  private static boolean tells(Resource resource, InvalidManifest manifest) {
    return manifest.expected().stream().allMatch(resource.message("Stalled")::contains);
  }

  private static List<String> events(Scene scene, Job job) {
    return scene
        .cluster()
        .kubernetes()
        .v1()
        .events()
        .inNamespace(job.namespace())
        .withField("reason", "ValidationError")
        .list()
        .getItems()
        .stream()
        .map(Event::getMessage)
        .toList();
  }

  private static String jobManager(Job job) {
    Pod pod = job.flink().jobManager().orElseThrow();
    return pod.getMetadata().getUid()
        + " restarted "
        + pod.getStatus().getContainerStatuses().get(0).getRestartCount();
  }
}
