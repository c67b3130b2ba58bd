package dev.sluice.activities.jar;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.flink.JarRun;
import java.util.Map;
import java.util.TreeMap;

/**
 * A jar in the image of the session cluster. Flink runs what was uploaded only, so an empty jar is
 * uploaded and the one in the image put on the class path of the job.
 */
final class ImageJar {

  private static final String CLASS_PATHS = "pipeline.classpaths";

  private ImageJar() {}

  /**
   * The same start, with the jar on the class path.
   *
   * @throws ArtifactException when Flink cannot run it like that
   */
  static JarStart.Request onClassPath(JarStart.Request request, ArtifactUri.InImage jar) {
    JarRun run = request.run();
    if (run.program().entryClass() == null) {
      throw ArtifactException.lasting(
          jar.display()
              + " is in the image of the session cluster, and Sluice cannot read its manifest: name"
              + " the main class in spec.job.entryClass");
    }
    if (!JarRun.takesConfiguration(run.version())) {
      throw ArtifactException.lasting(
          jar.display()
              + " is in the image of the session cluster, which Flink can run from 1.17 on only");
    }
    Map<String, String> configuration = new TreeMap<>(run.configuration());
    configuration.merge(CLASS_PATHS, "file://" + jar.path(), (others, ours) -> others + ";" + ours);
    return new JarStart.Request(
        request.cluster(),
        new ArtifactUri.ClassPath(),
        request.fetchConfiguration(),
        new JarRun(run.version(), run.jobId(), run.program(), run.restore(), configuration));
  }
}
