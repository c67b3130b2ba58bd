package dev.sluice.local.parts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs {@code deploy/local/tools/fetch.sh}, which downloads a binary or builds it. */
final class FetchScript {

  private static final int KEPT_LINES = 20;

  private final Path script;
  private final Map<String, String> environment;
  private final Progress progress;
  private final Set<String> unreachable = new HashSet<>();

  /**
   * @param tools the folder of the script and of the pinned Go modules
   * @param environment variables for the script, beside those of this process
   */
  FetchScript(Path tools, Map<String, String> environment, Progress progress) {
    this.script = tools.resolve("fetch.sh");
    this.environment = Map.copyOf(environment);
    this.progress = progress;
  }

  /**
   * Puts a binary at {@code target}.
   *
   * @param reasons gets why each way is closed
   * @return where it came from; empty when all ways are closed
   * @throws PartsException when a build fails or there is no space
   */
  Optional<String> run(Tool tool, Path target, List<String> reasons) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                script.toString(), tool.binary(), tool.version().toString(), target.toString())
            .redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("SLUICE_UNREACHABLE", String.join(" ", unreachable));
    Process process = builder.start();
    process.getOutputStream().close();
    Deque<String> tail = new ArrayDeque<>();
    try {
      Optional<String> origin = follow(process, reasons, tail);
      int exit = process.waitFor();
      if (exit > 1) {
        throw new PartsException(PartsException.withFullDisk(String.join("\n", tail)));
      }
      return exit == 0 ? origin : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  private Optional<String> follow(Process process, List<String> reasons, Deque<String> tail)
      throws IOException {
    String origin = null;
    Progress.@Nullable Step step = null;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String text = line.substring(line.indexOf(' ') + 1);
        if (line.startsWith("begin ")) {
          step = progress.begin(text);
        } else if (line.startsWith("detail ") && step != null) {
          step.detail(text);
        } else if (line.startsWith("done ") && step != null) {
          step.done(text);
        } else if (line.startsWith("origin ")) {
          origin = text;
        } else if (line.startsWith("reason ")) {
          reasons.add(text);
          if (text.contains(" is unreachable (")) {
            unreachable.add(text.substring(0, text.indexOf(' ')));
          }
        } else {
          tail.addLast(line);
        }
        if (tail.size() > KEPT_LINES) {
          tail.removeFirst();
        }
      }
    } finally {
      if (step != null) {
        step.close();
      }
    }
    return Optional.ofNullable(origin);
  }
}
