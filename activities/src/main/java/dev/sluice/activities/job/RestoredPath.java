package dev.sluice.activities.job;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.ArrayDeque;
import java.util.Deque;
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
 * @param path from the root, without {@code _metadata} and without a slash at the end
 */
public record RestoredPath(@Nullable String scheme, @Nullable String authority, String path) {

  private static final Pattern URI =
      Pattern.compile("(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/]*))?(.*)", Pattern.DOTALL);
  private static final String METADATA = "_metadata";
  private static final String FILE = "file";
  private static final String HDFS = "hdfs";
  private static final String HDFS_PORT = ":8020";

  /** Reads a path as Flink or a user spells it. */
  static RestoredPath of(String text) {
    Matcher uri = URI.matcher(text.trim());
    if (!uri.matches()) {
      return new RestoredPath(null, null, text);
    }
    String scheme = uri.group(1) == null ? null : uri.group(1).toLowerCase(Locale.ROOT);
    String authority = uri.group(2) == null || uri.group(2).isEmpty() ? null : uri.group(2);
    return new RestoredPath(scheme, withPort(scheme, authority), normal(uri.group(3)));
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

  /** What distinguishes a savepoint from every other one, however its path is spelled. */
  public static String nameOf(String path) {
    return of(path).name();
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
    return of(path).path.contains("/" + jobId + "/chk-");
  }

  private String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private RestoredPath qualified(RestoredPath fallback) {
    return scheme == null
        ? new RestoredPath(
            fallback.scheme, authority == null ? fallback.authority : authority, path)
        : this;
  }

  private boolean sameAs(RestoredPath other) {
    return Objects.equals(scheme, other.scheme)
        && path.equals(other.path)
        && sameAuthority(other.authority);
  }

  /** A local file system has no authority to fill in. */
  private boolean sameAuthority(@Nullable String other) {
    return Objects.equals(authority, other)
        || ((authority == null || other == null) && !FILE.equals(scheme));
  }

  private static @Nullable String withPort(@Nullable String scheme, @Nullable String authority) {
    boolean bare = HDFS.equals(scheme) && authority != null && !authority.contains(":");
    return bare ? authority + HDFS_PORT : authority;
  }

  private static String normal(String path) {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : path.split("/")) {
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    if (METADATA.equals(parts.peekLast())) {
      parts.removeLast();
    }
    return "/" + String.join("/", parts);
  }
}
