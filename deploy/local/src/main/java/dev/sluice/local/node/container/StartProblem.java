package dev.sluice.local.node.container;

import java.io.Serial;

/** A container cannot be started as things are; the node says why in its status and tries again. */
public final class StartProblem extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason the kubelet's word, such as {@code CreateContainerConfigError}
   * @param message in words
   */
  public StartProblem(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
