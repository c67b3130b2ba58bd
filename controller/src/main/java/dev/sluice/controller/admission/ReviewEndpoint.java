package dev.sluice.controller.admission;

import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook over HTTP. What is no answer of the rules is an error, for which the API server does
 * as its configuration says ({@code failurePolicy}).
 */
final class ReviewEndpoint extends Handler.Abstract {

  static final String PATH = "/validate";

  private static final String OTHER = "other";

  private static final Logger LOG = LoggerFactory.getLogger(ReviewEndpoint.class);

  private final SpecAdmission admission;
  private final MeterRegistry registry;

  ReviewEndpoint(SpecAdmission admission, MeterRegistry registry) {
    this.admission = admission;
    this.registry = registry;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    if (!PATH.equals(Request.getPathInContext(request))) {
      write(response, callback, HttpStatus.NOT_FOUND_404, "not found");
    } else if (!HttpMethod.POST.is(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, HttpMethod.POST.asString());
      write(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "only POST");
    } else {
      review(request, response, callback);
    }
    return true;
  }

  private void review(Request request, Response response, Callback callback) throws IOException {
    long begun = System.nanoTime();
    Review review;
    try {
      review = Review.read(Request.asInputStream(request));
    } catch (IllegalArgumentException wrong) {
      measure(OTHER, "failed", begun);
      write(response, callback, HttpStatus.BAD_REQUEST_400, "the body " + wrong.getMessage());
      return;
    }
    Optional<Verdict> verdict;
    try {
      verdict = admission.verdict(review);
    } catch (RuntimeException failed) {
      LOG.error("No answer for {} {}/{}", review.kind(), review.namespace(), review.name(), failed);
      measure(OTHER, "failed", begun);
      write(response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500, "the rules failed, see log");
      return;
    }
    AdmissionReview answer = review.answer(verdict);
    boolean allowed = answer.getResponse().getAllowed();
    if (!allowed) {
      LOG.info(
          "Refused {} of {} {}/{} by {}: {}",
          review.operation(),
          review.kind(),
          review.namespace(),
          review.name(),
          review.user(),
          answer.getResponse().getStatus().getMessage());
    }
    // what somebody sends makes no series of its own
    measure(
        admission.knows(review) ? review.kind() : OTHER,
        verdict.isEmpty() ? "unchecked" : allowed ? "allowed" : "denied",
        begun);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    write(response, callback, HttpStatus.OK_200, Serialization.asJson(answer));
  }

  private void measure(String kind, String outcome, long begun) {
    registry
        .timer("sluice.admission.requests", "kind", kind, "outcome", outcome)
        .record(Duration.ofNanos(System.nanoTime() - begun));
  }

  private static void write(Response response, Callback callback, int status, String body) {
    response.setStatus(status);
    response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
  }
}
