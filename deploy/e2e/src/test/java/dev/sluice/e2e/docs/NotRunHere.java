package dev.sluice.e2e.docs;

/** The commands that {@link DocumentedCommandsIT} leaves out. Each has its reason. */
enum NotRunHere {
  MAVEN("mvn .*", "it is the build that runs this test; see DocumentedMavenCommandsTest"),
  DEMO("\\./sluice demo", "DemoIT runs it, on a cluster of its own"),
  ENDS_THE_CLUSTER("\\./sluice (down|reset)", "DemoIT runs it, on a cluster of its own"),
  BENCH_UPGRADE("\\./sluice bench upgrade.*", "it takes minutes; BenchIT runs one round"),
  BENCH_IDLE("\\./sluice bench idle.*", "it lets minutes pass; BenchIT, when one asks for it"),
  BENCH_FAILURE("\\./sluice bench failure.*", "it takes minutes; BenchIT runs one round"),
  IMAGE_BASE("bash deploy/image/base\\.sh .*", "the build of deploy/image runs it; ImageIT"),
  CONTAINER_ENGINE("docker (load|save).*", "it needs a container engine"),
  INSTALLS("apt-get install .*", "it changes the machine, as root"),
  EMPTIES_CACHES("go clean .*", "it makes the next build of anything slow"),
  PROGRAM_ONLY("kubectl|\\./sluice", "it names the program"),
  APPLY("kubectl apply", "named without a file; each end-to-end test begins with it"),
  GET("kubectl get", "named without a kind; the pages have it with one, too"),
  DELETE("kubectl delete", "named without a resource; DeletionIT"),
  DESCRIBE("kubectl describe( pod)?", "named without a resource; the page has it with one, too"),
  SCALE("kubectl scale", "named without a resource; StandaloneIT"),
  RESTART(
      "kubectl patch .*restartNonce.*", "its page says in which order; the test has a turn for it"),
  SUSPEND("kubectl patch .*state.*", "the other commands need a job that runs; SuspendAndResumeIT"),
  ROLL_BACK("kubectl annotate .*sluice.dev/rollback=(?!.*rollback-to).*", "as RESTART"),
  ROLL_BACK_TO(
      "kubectl annotate .*sluice.dev/rollback-to=.*",
      "it names a generation; RollbackIT runs it with one that there is"),
  HISTORY("kubectl get controllerrevisions .*", "as RESTART"),
  BLUE_GREEN(
      "kubectl .* flinkbgdep\\b.*",
      "it needs two clusters that replace each other; CommandOfKind names the test that runs it"),
  FLINK_APPLICATION(
      "kubectl .*\\bflinkapp(lications?)?\\b.*",
      "each version of it is a cluster of its own; CommandOfKind names the test that runs it"),
  WEBHOOK(
      "kubectl .*(deploy/webhook|SLUICE_WEBHOOK|validatingwebhookconfiguration|rollout (restart|status)|wait certificate).*",
      "it needs cert-manager, and restarts the controller; AdmissionWebhookIT, AdmissionAvailabilityIT"),
  SIGNAL("temporal workflow signal", "named without a run; RequestsAtStepsIT");

  private final String pattern;
  private final String reason;

  NotRunHere(String pattern, String reason) {
    this.pattern = pattern;
    this.reason = reason;
  }

  boolean matches(DocumentedCommand command) {
    return command.text().matches(pattern);
  }

  @Override
  public String toString() {
    return name() + " (" + reason + ")";
  }
}
