package dev.sluice.activities.job;

import dev.sluice.api.common.FlinkConfiguration;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path of a savepoint or checkpoint as Flink understands it. Flink qualifies what it was given
 * with the scheme and authority of the file system, so it may say {@code hdfs://nn:8020/x} where it
 * was given {@code hdfs:///x} or {@code /x}; it never turns one scheme or one authority into
 * another.
 *
 * @param scheme in lower case; null: Flink's {@code fs.default-scheme}
 * @param authority null: that of the file system
 * @param path from the root, without {@code _metadata}
 */
public record RestoredPath(@Nullable String scheme, @Nullable String authority, Path path) {

  private static final Pattern URI =
      Pattern.compile("(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/]+))?(?://)?(.*)", Pattern.DOTALL);
  private static final String HDFS_PORT = ":8020";

  /** Reads a path as Flink or a user spells it. */
  static RestoredPath of(String text) {
    Matcher uri = URI.matcher(text.trim());
    boolean unused = uri.matches(); // always
    String scheme = uri.group(1) == null ? null : uri.group(1).toLowerCase(Locale.ROOT);
    String authority = uri.group(2);
    boolean bare = "hdfs".equals(scheme) && authority != null && !authority.contains(":");
    Path path = Path.of("/", uri.group(3)).normalize();
    return new RestoredPath(
        scheme,
        bare ? authority + HDFS_PORT : authority,
        path.endsWith("_metadata") ? Objects.requireNonNull(path.getParent()) : path);
  }

  /**
   * Whether Flink may mean the same place.
   *
   * @param defaultScheme the cluster's {@code fs.default-scheme}; null for Flink's own default,
   *     {@code file:///}
   */
  public static boolean same(String one, String other, @Nullable String defaultScheme) {
    RestoredPath fallback = of(defaultScheme == null ? "file:///" : defaultScheme);
    return of(one).qualified(fallback).sameAs(of(other).qualified(fallback));
  }

  /** The {@code fs.default-scheme} of a cluster; null where it has Flink's own default. */
  public static @Nullable String defaultScheme(FlinkConfiguration cluster) {
    return cluster.get("fs.default-scheme").filter(it -> !it.isBlank()).orElse(null);
  }

  /**
   * Whether both may be the same savepoint, however they are spelled and whatever storage they
   * name: Flink chooses the name of a savepoint's directory at random.
   *
   * @param other null is none
   */
  public static boolean haveSameName(String one, @Nullable String other) {
    return other != null && nameOf(one).equals(nameOf(other));
  }

  /** What tells a savepoint from every other one, however its path is spelled. */
  public static String nameOf(String path) {
    return Objects.toString(of(path).path.getFileName(), "");
  }

  /** What the names of the savepoints of a job begin with: Flink's own rule. */
  public static String savepointPrefix(String jobId) {
    return "savepoint-" + jobId.substring(0, Math.min(6, jobId.length())) + "-";
  }

  /**
   * Whether it is a checkpoint that this job itself has taken: {@code .../<job id>/chk-7}. A job
   * that failed over says it was restored from one.
   */
  static boolean isOwnCheckpoint(String path, String jobId) {
    return of(path).path.toString().contains("/" + jobId + "/chk-");
  }

  private RestoredPath qualified(RestoredPath fallback) {
    return scheme == null
        ? new RestoredPath(
            fallback.scheme, authority == null ? fallback.authority : authority, path)
        : this;
  }

  /** A local file system has no authority to fill in. */
  private boolean sameAs(RestoredPath other) {
    return Objects.equals(scheme, other.scheme)
        && path.equals(other.path)
        && (Objects.equals(authority, other.authority)
            || ((authority == null || other.authority == null) && !"file".equals(scheme)));
  }
}
