package dev.sluice.bootstrap;

import java.util.List;

/** The configuration is wrong. The message names each key, its value and what is allowed. */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** One line for each problem. */
  public ConfigurationException(List<String> problems) {
    super("wrong configuration:\n  " + String.join("\n  ", problems));
  }
}
