package dev.sluice.local.node.container;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes' {@code $(NAME)} in commands, arguments and values: replaced when the variable is
 * known, left as it is when not; {@code $$(NAME)} means a plain {@code $(NAME)}.
 */
public final class Expansion {
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$|\\$\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\)");

  private Expansion() {}

  /** The text with the references to {@code variables} replaced. */
  public static String expand(String text, Map<String, String> variables) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null
                        ? "$"
                        : variables.getOrDefault(match.group(1), match.group())));
  }
}
