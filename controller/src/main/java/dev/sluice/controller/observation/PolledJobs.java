package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.controller.observation.PolledJob.Question;
import dev.sluice.controller.observation.PolledJob.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The jobs of other resources on one cluster: one overview is for all of them. */
final class PolledJobs {

  private final FlinkRest flink;
  private final ConcurrentMap<String, PolledJob> jobs = new ConcurrentHashMap<>();

  PolledJobs(FlinkRest flink) {
    this.flink = flink;
  }

  @Nullable PolledJob get(String key) {
    return jobs.get(key);
  }

  PolledJob add(String key, Runnable changed) {
    return jobs.computeIfAbsent(key, k -> new PolledJob(flink, changed));
  }

  void remove(String key) {
    jobs.remove(key);
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** What an overview that is asked for now is to answer. */
  List<Question> questions() {
    return jobs.values().stream().map(PolledJob::ask).filter(Objects::nonNull).toList();
  }

  /** Completes with what the overview says of each. */
  static CompletableFuture<List<Reply>> answer(
      List<Question> questions, PollTarget cluster, JobsOverview overview) {
    CompletableFuture<List<Reply>> all = CompletableFuture.completedFuture(List.of());
    for (Question question : questions) {
      all = all.thenCombine(question.answer(cluster, overview), PolledJobs::with);
    }
    return all;
  }

  private static List<Reply> with(List<Reply> before, Reply one) {
    List<Reply> all = new ArrayList<>(before);
    all.add(one);
    return all;
  }

  /** The cluster does not answer, or is another one. */
  void silent(ObservedJob now) {
    jobs.values().forEach(job -> job.silent(now));
  }
}
