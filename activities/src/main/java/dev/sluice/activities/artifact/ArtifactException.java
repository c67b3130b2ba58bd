package dev.sluice.activities.artifact;

/** An artifact could not be fetched. The message is one line for people, without credentials. */
public final class ArtifactException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private final boolean mayPass;

  private ArtifactException(String message, boolean mayPass) {
    super(message);
    this.mayPass = mayPass;
  }

  static ArtifactException passing(String message) {
    return new ArtifactException(message, true);
  }

  /** The same fetch ends in the same way until somebody changes something. */
  public static ArtifactException lasting(String message) {
    return new ArtifactException(message, false);
  }

  public boolean mayPass() {
    return mayPass;
  }
}
