package dev.sluice.activities.flink;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The calls of Flink's REST API that start jobs on a session cluster from a jar. As in {@link
 * FlinkRest} calls block, failures are {@link FlinkRestException}s, and an interrupt abandons the
 * call. They may take minutes, so that they do not wait for the short calls to the same cluster,
 * nor those for them.
 */
public interface FlinkJars extends AutoCloseable {

  /**
   * Uploads a jar ({@code POST /jars/upload}), straight from its file. Flink lists it when it has
   * all of it, so that a broken upload leaves nothing to run. Twice uploaded is twice there, with
   * other ids.
   *
   * @param name that {@link UploadedJar#name} tells later; a file name without a path
   * @return the id of the jar
   */
  String upload(Endpoint cluster, Path jar, String name);

  /**
   * The jars that were uploaded ({@code GET /jars}). A JobManager that came back may have lost them
   * all, or have them all, by where {@code web.upload.dir} is.
   */
  List<UploadedJar> list(Endpoint cluster);

  /**
   * Runs a jar ({@code POST /jars/:id/run}), which calls the main method of the job in the
   * JobManager and answers when the job is submitted. Without an answer the job may run or not:
   * {@link FlinkRest#jobsOverview} tells.
   */
  RunAnswer run(Endpoint cluster, String jarId, JarRun run);

  /** Deletes a jar ({@code DELETE /jars/:id}). One that is not there is deleted. */
  void delete(Endpoint cluster, String jarId);

  @Override
  void close();

  /**
   * A jar that Flink has.
   *
   * @param id what the other calls name it by; Flink makes it
   * @param name it was uploaded with
   * @param uploaded when, by the JobManager's clock
   */
  record UploadedJar(String id, String name, Instant uploaded) {}

  sealed interface RunAnswer {

    /** The job was submitted, under the id that was asked for. */
    record Submitted() implements RunAnswer {}

    /**
     * Flink has, or had, a job with this id: an earlier call was accepted. Nothing new runs.
     *
     * @param why in Flink's words
     */
    record KnownAlready(String why) implements RunAnswer {}

    /**
     * The jar is not there any more. Nothing runs.
     *
     * @param why in Flink's words
     */
    record JarMissing(String why) implements RunAnswer {}

    /**
     * Flink refused it: the main method failed, a class or the state to restore is missing. Usually
     * no job runs, but what failed late may be in the list of jobs as FAILED, and a main method may
     * have submitted something before it failed.
     *
     * @param why in Flink's words, one line
     */
    record Refused(String why) implements RunAnswer {}
  }
}
