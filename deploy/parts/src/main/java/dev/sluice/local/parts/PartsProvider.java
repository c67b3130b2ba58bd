package dev.sluice.local.parts;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Provides the binaries: from the cache, else from PATH, else the official release, else built from
 * the pinned Go modules. The script {@code deploy/local/tools/fetch.sh} does it; this follows it.
 * Safe to use from several processes at once.
 */
public final class PartsProvider {

  private static final List<Tool> KUBE_API_TEST =
      List.of(Tool.KUBE_APISERVER, Tool.ETCD, Tool.KUBECTL);
  private static final int KEPT_LINES = 20;

  private final CacheDirectory cache;
  private final Path script;
  private final Map<String, String> environment;
  private final Progress progress;

  /**
   * @param environment variables for the script, beside those of this process
   */
  PartsProvider(
      CacheDirectory cache, Path script, Map<String, String> environment, Progress progress) {
    this.cache = cache;
    this.script = script;
    this.environment = Map.copyOf(environment);
    this.progress = progress;
  }

  /**
   * The provider with all sources.
   *
   * @param repository where the script is, and what it builds
   */
  public static PartsProvider of(CacheDirectory cache, Path repository, Progress progress) {
    Path script = repository.resolve("deploy/local/tools/fetch.sh");
    return new PartsProvider(cache, script, Map.of(), progress);
  }

  /**
   * Puts all of {@code wanted} where the cache says. Takes minutes for what is in no cache yet.
   *
   * @return the version of each and where it came from, in words
   * @throws PartsException when one cannot be had; what was got before stays in the cache
   */
  public Map<Tool, String> provide(Collection<Tool> wanted) {
    Iterator<String> origins = run(words(wanted)).iterator();
    Map<Tool, String> provided = new EnumMap<>(Tool.class);
    wanted.forEach(tool -> provided.put(tool, origins.next()));
    return provided;
  }

  public Path provide(Tool tool) {
    provide(List.of(tool));
    return cache.binary(tool);
  }

  /**
   * Lays the binaries out as {@code io.fabric8:kube-api-test} 7.5 wants them: {@code
   * <directory>/k8s/<version>-<os>-<arch>/{kube-apiserver,etcd,kubectl}}. It then downloads
   * nothing.
   *
   * @return the directory to give to kube-api-test
   */
  public Path kubeApiTest() {
    List<String> words = new ArrayList<>(words(KUBE_API_TEST));
    words.add("kubeapitest");
    run(words);
    return cache.root().resolve("kubeapitest");
  }

  private static List<String> words(Collection<Tool> wanted) {
    return wanted.stream().map(tool -> tool.binary() + "=" + tool.version()).toList();
  }

  /** Runs the script; returns the origins that it prints. */
  private List<String> run(List<String> words) {
    List<String> command = new ArrayList<>(List.of(script.toString(), cache.root().toString()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      try (BufferedReader lines = process.inputReader()) {
        process.getOutputStream().close();
        List<String> origins = new ArrayList<>();
        String problem = follow(lines, origins);
        if (process.waitFor() != 0) {
          throw PartsException.of(problem);
        }
        return origins;
      } finally {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
      }
    } catch (IOException e) {
      throw new PartsException(script + " cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PartsException("interrupted; run it again to go on", e);
    }
  }

  /** Shows the script's progress, and returns the end of what else it says. */
  private String follow(BufferedReader lines, List<String> origins) throws IOException {
    Deque<String> tail = new ArrayDeque<>();
    Progress.@Nullable Step step = null;
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String text = line.substring(line.indexOf(' ') + 1);
        if (line.startsWith("begin ")) {
          if (step != null) {
            step.close();
          }
          step = progress.begin(text);
        } else if (line.startsWith("detail ") && step != null) {
          step.detail(text);
        } else if (line.startsWith("done ") && step != null) {
          step.done(text);
        } else if (line.startsWith("say ")) {
          progress.say(text);
        } else if (line.startsWith("origin ")) {
          origins.add(text);
        } else {
          tail.addLast(line);
        }
        if (tail.size() > KEPT_LINES) {
          tail.removeFirst();
        }
      }
      return String.join("\n", tail);
    } finally {
      if (step != null) {
        step.close();
      }
    }
  }
}
