package dev.sluice.activities.support;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.api.common.FlinkJobState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A JobManager that keeps jars, and whose answers to runs the test decides. */
public final class FakeJars implements FlinkJars {

  /** Calls with an effect, in order. */
  public final List<String> effects = new ArrayList<>();

  /** Whether a main method may be submitting its job. */
  public boolean submitting;

  private final Map<String, UploadedJar> jars = new LinkedHashMap<>();
  private int uploaded;
  private final FakeFlink flink;
  private final List<Supplier<RunAnswer>> answers = new ArrayList<>();
  private @Nullable FlinkRestException uploadFailure;
  private boolean up = true;
  private @Nullable Runnable afterUpload;
  private @Nullable JarRun lastRun;

  public FakeJars(FakeFlink flink) {
    this.flink = flink;
  }

  /** The next run, for which no other answer is decided yet, is answered like this. */
  public FakeJars answering(RunAnswer answer) {
    answers.add(() -> answer);
    return this;
  }

  /** The answer of the next run does not come, and this happens. */
  public FakeJars losingTheAnswer(Runnable effect) {
    answers.add(
        () -> {
          effect.run();
          throw new FlinkRestException.Unreachable("orders: POST run got no answer", null);
        });
    return this;
  }

  /** The next run has this effect and this answer. */
  public FakeJars answering(Runnable effect, RunAnswer answer) {
    answers.add(
        () -> {
          effect.run();
          return answer;
        });
    return this;
  }

  /** What the last run asked for. */
  public JarRun lastRun() {
    return Objects.requireNonNull(lastRun, "nothing was run");
  }

  /** Uploads fail. */
  public FakeJars refusingUploads(FlinkRestException with) {
    uploadFailure = with;
    return this;
  }

  /** This happens when a jar was uploaded. */
  public FakeJars afterUpload(Runnable effect) {
    afterUpload = effect;
    return this;
  }

  /** It has this jar. */
  public String having(String name) {
    String id = uploaded++ + "_" + name;
    jars.put(id, new UploadedJar(id, name));
    return id;
  }

  /** It does not answer. */
  public void down() {
    up = false;
  }

  /** Ids of the jars that it has. */
  public Set<String> ids() {
    return jars.keySet();
  }

  /** The JobManager was restarted with an empty folder. */
  public void forget() {
    jars.clear();
  }

  /** Runs a job of that id. */
  public void run(String jobId) {
    flink.job(jobId, FlinkJobState.RUNNING, FakeFlink.tasks(8, 0, 0));
  }

  @Override
  public String upload(Endpoint cluster, Path jar, String name) {
    if (uploadFailure != null) {
      throw uploadFailure;
    }
    effects.add("upload");
    String id = having(name);
    if (afterUpload != null) {
      afterUpload.run();
    }
    return id;
  }

  @Override
  public List<UploadedJar> list(Endpoint cluster) {
    if (!up) {
      throw new FlinkRestException.Unreachable("orders: GET jars got no answer", null);
    }
    return List.copyOf(jars.values());
  }

  @Override
  public RunAnswer run(Endpoint cluster, String jarId, JarRun run) {
    effects.add("run");
    lastRun = run;
    if (!jars.containsKey(jarId)) {
      return new RunAnswer.JarMissing("no " + jarId);
    }
    if (!answers.isEmpty()) {
      return answers.remove(0).get();
    }
    run(run.jobId());
    return new RunAnswer.Submitted();
  }

  @Override
  public void delete(Endpoint cluster, String jarId) {
    effects.add("delete");
    jars.remove(jarId);
  }

  @Override
  public boolean maySubmit(Endpoint cluster) {
    return submitting;
  }

  @Override
  public void close() {}
}
