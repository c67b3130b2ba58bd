package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/**
 * Which names tell that a value may be a secret: those Flink hides itself ({@code
 * GlobalConfiguration.SENSITIVE_KEYS}) and those of access keys and credentials. Rather too many.
 */
public final class SecretNames {
  public static final String MASK = "******";

  /** A regular expression of them, to be used in any case. */
  public static final String WORDS =
      "password|passwd|secret|token|credential|api[._-]?key|access[._-]?key|account[._-]?key"
          + "|pass(?![a-z])|passphrase|pwd|fs\\.azure\\.sas"
          + "|service[._-]?key|private[._-]?key|basic-auth|auth-params|jaas\\.config|http[._-]headers?";

  private static final Pattern NAME = Pattern.compile(WORDS, Pattern.CASE_INSENSITIVE);
  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "(" + WORDS + ")[^\\s=:]*[=:]|[?&]sig=|://[^/\\s]*:[^/\\s]*@", Pattern.CASE_INSENSITIVE);

  private SecretNames() {}

  /** Whether the value under that key or after that flag may be a secret. */
  public static boolean isSecret(String name) {
    return NAME.matcher(name).find();
  }

  /** Whether the text holds one itself: {@code -Dpassword=x}, {@code https://user:x@host}. */
  public static boolean isAssigned(String text) {
    return ASSIGNMENT.matcher(text).find();
  }

  /** Environment variables keep their key in a field: {@code {name: DB_PASSWORD, value: ...}}. */
  public static boolean isNamedAsSecret(JsonNode... objects) {
    for (JsonNode object : objects) {
      if (isSecret(object.path("name").asText(""))) {
        return true;
      }
    }
    return false;
  }
}
