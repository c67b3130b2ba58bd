package dev.sluice.api.deployment;

import dev.sluice.api.common.KubernetesNames;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an Ingress listens, as {@code spec.ingress.template} says.
 *
 * @param host a name, or {@code *.} and a name; null for every host
 * @param path beginning with a slash, as it is: Ingress controllers have patterns such as {@code
 *     /orders(/|$)(.*)}; null for every path
 * @param port that the template gives, which no Ingress can have; null for none
 */
public record IngressAddress(@Nullable String host, @Nullable String path, @Nullable Integer port) {
  private static final Pattern NAME = placeholder("name");
  private static final Pattern NAMESPACE = placeholder("namespace");
  private static final Pattern HTTP = Pattern.compile("https?://.*", Pattern.CASE_INSENSITIVE);
  private static final int LARGEST_PORT = 65_535;

  /**
   * Fills in the placeholders {@code {{name}}} and {@code {{namespace}}}, in any case, as Apache's
   * operator does, and reads a host, host and path, path, or URL.
   *
   * @throws IllegalArgumentException when it is none of them
   */
  public static IngressAddress of(String template, String name, String namespace) {
    if (template.isBlank()) {
      throw new IllegalArgumentException("nothing is given");
    }
    String text = NAME.matcher(template).replaceAll(Matcher.quoteReplacement(name));
    text = NAMESPACE.matcher(text).replaceAll(Matcher.quoteReplacement(namespace));
    try {
      return of(new URL(HTTP.matcher(text).matches() ? text : "http://" + text));
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** {@link java.net.URI} would not take a path that is a pattern. */
  private static IngressAddress of(URL url) {
    if (url.getPort() > LARGEST_PORT) {
      throw new IllegalArgumentException("no such port: " + url.getPort());
    }
    if (!url.getHost().isEmpty() && !isHost(url.getHost())) {
      throw new IllegalArgumentException("no such host: " + url.getHost());
    }
    String path = url.getFile() + (url.getRef() == null ? "" : "#" + url.getRef());
    if (path.startsWith("//")) {
      throw new IllegalArgumentException("no such path: " + path);
    }
    return new IngressAddress(
        url.getHost().isEmpty() ? null : url.getHost(),
        path.isEmpty() ? null : path,
        url.getPort() < 0 ? null : Integer.valueOf(url.getPort()));
  }

  /** Whether an Ingress takes it as a host: a name, or {@code *.} and a name. */
  private static boolean isHost(String text) {
    return KubernetesNames.isDnsSubdomain(text.startsWith("*.") ? text.substring(2) : text);
  }

  private static Pattern placeholder(String word) {
    return Pattern.compile("\\{\\{" + word + "}}", Pattern.CASE_INSENSITIVE);
  }
}
