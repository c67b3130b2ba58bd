package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of Flink's REST API that start jobs on a session cluster from a jar. As in {@link
 * FlinkRest} calls block, failures are {@link FlinkRestException}s, and an interrupt abandons the
 * call. Uploads and runs may take minutes, so that they do not wait for the short calls to the same
 * cluster, nor those for them.
 */
public interface FlinkJars extends AutoCloseable {

  /**
   * Uploads a jar ({@code POST /jars/upload}), straight from its file. A broken upload leaves
   * nothing to run. Twice uploaded is twice there, with other ids.
   *
   * @param name a file name without a path; Flink makes it part of the id
   * @return the id of the jar
   */
  String upload(Endpoint cluster, Path jar, String name);

  /** The jars that were uploaded and not deleted ({@code GET /jars}); at most 10 s. */
  List<UploadedJar> list(Endpoint cluster);

  /**
   * A jar that Flink has.
   *
   * @param name that it was uploaded under
   */
  record UploadedJar(
      @JsonProperty(required = true) String id, @JsonProperty(required = true) String name) {}

  /**
   * Runs a jar ({@code POST /jars/:id/run}), which calls the main method of the job in the
   * JobManager and answers when the job is submitted. Without an answer the job may run or not:
   * {@link FlinkRest#jobsOverview} tells.
   */
  RunAnswer run(Endpoint cluster, String jarId, JarRun run);

  /**
   * Deletes a jar ({@code DELETE /jars/:id}); at most 10 s. One that is not there is deleted. Until
   * Flink 2.2 a main method that runs then cannot submit its job any more: the jar is a part of
   * that.
   */
  void delete(Endpoint cluster, String jarId);

  /**
   * Whether a main method runs, or a job is being submitted, by the threads of the JobManager
   * ({@code GET /jobmanager/thread-dump}). Where several share the Service, only those of the
   * leader.
   *
   * @return also true where the main methods of this Flink run on threads of another name (2.3 and
   *     newer)
   */
  boolean maySubmit(Endpoint cluster);

  @Override
  void close();

  sealed interface RunAnswer {

    /**
     * Why no job was submitted, in Flink's words, one line; null when one was, by now or before.
     */
    default @Nullable String refusal() {
      return null;
    }

    /** The job was submitted, under the id that was asked for. */
    record Submitted() implements RunAnswer {}

    /**
     * Flink has, or had, a job with this id: an earlier call was accepted. Nothing new runs.
     *
     * @param why in Flink's words
     */
    record KnownAlready(String why) implements RunAnswer {}

    /** The jar is not there any more. Nothing runs. */
    record JarMissing(String why) implements RunAnswer {
      @Override
      public String refusal() {
        return why;
      }
    }

    /**
     * Flink refused it: the main method failed, a class or the state to restore is missing. Usually
     * no job runs, but what failed late may be in the list of jobs as FAILED, and a main method may
     * have submitted something before it failed.
     */
    record Refused(String why) implements RunAnswer {
      @Override
      public String refusal() {
        return why;
      }
    }
  }
}
