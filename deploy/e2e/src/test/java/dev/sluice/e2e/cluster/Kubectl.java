package dev.sluice.e2e.cluster;

import java.util.List;

/** The real kubectl, as a person uses it: what it says is checked, not only what it does. */
public final class Kubectl {

  private final dev.sluice.local.cluster.Kubectl kubectl;

  Kubectl(dev.sluice.local.cluster.Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /**
   * Runs it.
   *
   * @throws AssertionError when it fails
   */
  public String run(String... arguments) {
    return checked(kubectl.run(arguments), String.join(" ", arguments));
  }

  /** Applies a manifest. */
  public String apply(String manifest) {
    return checked(kubectl.run(manifest, List.of("apply", "-f", "-")), "apply");
  }

  /** Deletes what a manifest has, and waits until all of it is gone. */
  public String delete(String manifest) {
    return checked(kubectl.run(manifest, List.of("delete", "-f", "-")), "delete");
  }

  private static String checked(dev.sluice.local.cluster.Kubectl.Result result, String command) {
    if (!result.ok()) {
      throw new AssertionError("kubectl " + command + ": " + result.output());
    }
    return result.output();
  }
}
