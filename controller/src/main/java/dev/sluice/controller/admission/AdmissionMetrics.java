package dev.sluice.controller.admission;

import dev.sluice.bootstrap.WatchedFile;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** What the webhook measures. */
final class AdmissionMetrics {

  private static final String OTHER = "other";

  private final MeterRegistry registry;

  AdmissionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Tells when the certificate expires, and whether the files as they are now are not used. */
  void watch(WatchedFile<ServingCertificate> certificate) {
    registry.gauge(
        "sluice.admission.certificate.expires.seconds",
        certificate,
        it -> it.get().expires().getEpochSecond());
    registry.gauge(
        "sluice.admission.certificate.broken", certificate, it -> it.problem().isPresent() ? 1 : 0);
  }

  /** One that was answered. */
  void answered(Review review, Answer answer, boolean known, Duration took) {
    // what somebody sends makes no series of its own
    record(known ? review.kind() : OTHER, answer.outcome().wire(), took);
  }

  /** One that was not: no review, or one for which the rules failed. */
  void failed(Duration took) {
    record(OTHER, "failed", took);
  }

  private void record(String kind, String outcome, Duration took) {
    registry.timer("sluice.admission.requests", "kind", kind, "outcome", outcome).record(took);
  }
}
