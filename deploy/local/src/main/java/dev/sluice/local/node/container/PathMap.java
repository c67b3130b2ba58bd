package dev.sluice.local.node.container;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Turns paths inside a container into paths of this machine, wherever they stand in a text: a
 * command, a URL ({@code file:} and {@code local:}), a configuration file.
 *
 * <p>A path of another container's root is first turned back into what it was there: Flink's
 * JobManager passes its own, already turned, configuration on to its TaskManagers.
 */
public final class PathMap {
  // a path starts at the start of the text, after a delimiter, or after the // of a local URL
  private static final String BEFORE = "(?:(?<![\\w.\\-/}])|(?<=file://)|(?<=local://))";
  private static final String AFTER = "(?![\\w.\\-])";

  private final Map<String, Path> targets;
  private final Pattern paths;
  private final Pattern foreign;

  /**
   * @param targets path inside the container to path outside; the longest one that fits is used
   * @param pods the folder of all pods; a container's root is {@code pods/POD/CONTAINER/root}
   */
  public PathMap(Map<String, Path> targets, Path pods) {
    this.targets = Map.copyOf(targets);
    String any =
        targets.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .map(Pattern::quote)
            .collect(Collectors.joining("|", "(", ")"));
    this.paths = Pattern.compile(BEFORE + any + AFTER);
    this.foreign = Pattern.compile(Pattern.quote(pods.toString()) + "/[^/\\s]+/[^/\\s]+/root(?=/)");
  }

  /** The text with every known path turned; other text is left as it is. */
  public String toHost(String text) {
    String plain = toContainer(text);
    return targets.isEmpty()
        ? plain
        : paths
            .matcher(plain)
            .replaceAll(match -> Matcher.quoteReplacement(target(match.group(1))));
  }

  /** The text with paths of any container's root turned back into paths inside that container. */
  public String toContainer(String text) {
    return foreign.matcher(text).replaceAll("");
  }

  private String target(String path) {
    Path target = targets.get(path);
    return target == null ? path : target.toString();
  }
}
