package dev.sluice.activities.artifact;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.Credentials;
import okhttp3.HttpUrl;

/**
 * Where the jar of a job is, as {@code spec.job.jarURI} says. What it prints has no credentials and
 * no query, which often is a signature.
 */
public sealed interface ArtifactUri {

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when it names no place that is known here; the message is for
   *     people and does not quote the URI
   */
  static ArtifactUri parse(String text) {
    URI uri = uri(text);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    Optional<String> sha256 = checksum(uri);
    return switch (scheme) {
      case "https", "http" -> remote(uri, sha256);
      case "file" -> new WorkerFile(path(uri), sha256);
      case "local" -> new InImage(path(uri).toString());
      case "" -> throw new IllegalArgumentException("it has no scheme, such as https://");
      default ->
          throw new IllegalArgumentException(
              "the scheme '" + scheme + "' is not known: https, http, file and local are");
    };
  }

  /** The URI without what is secret in it. */
  String display();

  /**
   * On an HTTP server.
   *
   * @param url without credentials and checksum
   * @param authorization value of the header {@code Authorization}, from credentials in the URI
   * @param sha256 in hexadecimal, as the URI's fragment promises
   */
  record Remote(HttpUrl url, Optional<String> authorization, Optional<String> sha256)
      implements ArtifactUri {

    @Override
    public String display() {
      return display(url);
    }

    /** A URL as {@link ArtifactUri#display} shows it. */
    static String display(HttpUrl url) {
      String plain =
          url.newBuilder().username("").password("").query(null).fragment(null).build().toString();
      return url.query() == null ? plain : plain + "?...";
    }

    @Override
    public String toString() {
      return display();
    }
  }

  /**
   * A file of the worker.
   *
   * @param path absolute
   * @param sha256 in hexadecimal, as the URI's fragment promises
   */
  record WorkerFile(Path path, Optional<String> sha256) implements ArtifactUri {

    @Override
    public String display() {
      return "file://" + path;
    }
  }

  /**
   * A file in the image of the session cluster ({@code local://}). It cannot be fetched: the caller
   * decides whether Flink can run it where it is.
   *
   * @param path absolute
   */
  record InImage(String path) implements ArtifactUri {

    @Override
    public String display() {
      return "local://" + path;
    }
  }

  /** No jar: the main class is on the class path of the session cluster. */
  record ClassPath() implements ArtifactUri {

    @Override
    public String display() {
      return "the class path of the session cluster";
    }
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("it is no URI: " + e.getReason());
    }
  }

  private static Remote remote(URI uri, Optional<String> sha256) {
    HttpUrl url = HttpUrl.parse(uri.toString());
    // OkHttp takes the first part of the path for a host that is missing
    if (url == null || uri.getRawAuthority() == null) {
      throw new IllegalArgumentException("it names no host");
    }
    Optional<String> authorization =
        url.username().isEmpty() && url.password().isEmpty()
            ? Optional.empty()
            : Optional.of(Credentials.basic(url.username(), url.password()));
    HttpUrl plain = url.newBuilder().username("").password("").fragment(null).build();
    return new Remote(plain, authorization, sha256);
  }

  private static Path path(URI uri) {
    boolean hasHost = uri.getAuthority() != null && !uri.getAuthority().isEmpty();
    String path = uri.getPath();
    if (hasHost || path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException(
          "it has no absolute path, such as " + uri.getScheme() + ":///jars/job.jar");
    }
    try {
      return Path.of(path).normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("its path is not valid: " + e.getReason());
    }
  }

  private static Optional<String> checksum(URI uri) {
    if (uri.getFragment() == null) {
      return Optional.empty();
    }
    Matcher matcher = Pattern.compile("sha256=([0-9a-fA-F]{64})").matcher(uri.getFragment());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "what follows # is not sha256= with 64 hexadecimal digits, the checksum of the jar");
    }
    return Optional.of(matcher.group(1).toLowerCase(Locale.ROOT));
  }
}
