package dev.sluice.e2e.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the documentation, and the commands in it: in blocks of code, and in the text. */
record Page(String path, String markdown) {

  /** What a line of code begins with when it is a command. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "./sluice",
          "kubectl",
          "temporal",
          "mvn",
          "helm",
          "go",
          "git",
          "java",
          "apt-get",
          "sudo",
          "curl",
          "bash",
          "sh",
          "docker",
          "python3",
          "cd",
          "cat",
          "ls",
          "rm",
          "kill",
          "export");

  private static final Pattern SPAN = Pattern.compile("`((?:(?!\\n\\s*\\n)[^`])+)`");
  private static final Pattern YAML = Pattern.compile("(?s)\n```yaml\n(.*?)\n```\n");
  private static final Pattern COMMENT =
      Pattern.compile("^((?:[^\"'#]|\"[^\"]*\"|'[^']*')*?)\\s+# .*$");
  private static final String FENCE = "```";
  private static final String INDENT = "    ";

  /** Its first block of YAML. */
  String firstYaml() {
    Matcher block = YAML.matcher(markdown);
    if (!block.find()) {
      throw new AssertionError(path + " has no YAML");
    }
    return block.group(1);
  }

  /** Each once, first those in blocks, in the order of the page. */
  Collection<DocumentedCommand> commands() {
    List<String> code = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    boolean fenced = false;
    for (String line : markdown.replaceAll("\\\\\\n\\s*", "").lines().toList()) {
      if (line.strip().startsWith(FENCE)) {
        fenced = !fenced;
      } else if (fenced || line.startsWith(INDENT)) {
        code.add(COMMENT.matcher(line).replaceFirst("$1"));
      } else {
        text.append(line).append('\n');
      }
    }
    SPAN.matcher(text).results().map(span -> span.group(1)).forEach(code::add);
    Map<String, DocumentedCommand> commands = new LinkedHashMap<>();
    for (String line : code) {
      DocumentedCommand command =
          new DocumentedCommand(
              path, line.strip().replaceAll("\\s+", " ").replaceFirst("^\\$ ", ""));
      if (PROGRAMS.contains(command.program())) {
        commands.putIfAbsent(command.text(), command);
      }
    }
    return commands.values();
  }
}
