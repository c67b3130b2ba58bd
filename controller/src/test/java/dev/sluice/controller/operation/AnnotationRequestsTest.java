package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.HandledRequests;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With a ConfigMap, because requests are the same for any kind. */
class AnnotationRequestsTest {

  private static final Request ABORT = new Request(Request.Kind.ABORT, "wrong image");
  private static final Request RETRY = new Request(Request.Kind.RETRY, "again");

  @Test
  void without_annotations_nothing_is_asked_for() {
    ConfigMap bare = new ConfigMapBuilder().withNewMetadata().endMetadata().build();

    AnnotationRequests requests = AnnotationRequests.of(bare, null, Map.of(), false);

    assertThat(requests.all()).isEmpty();
    assertThat(requests.handled()).isNull();
  }

  @Test
  void an_annotation_is_a_request_without_the_blanks_around_it() {
    AnnotationRequests requests =
        AnnotationRequests.of(
            annotated("sluice.dev/abort", " wrong image "), null, Map.of(), false);

    assertThat(requests.pending()).contains(ABORT);
  }

  @Test
  void a_blank_annotation_asks_for_nothing() {
    assertThat(
            AnnotationRequests.of(annotated("sluice.dev/retry", " "), null, Map.of(), false).all())
        .isEmpty();
  }

  @Test
  void where_to_restore_from_is_no_request() {
    assertThat(
            AnnotationRequests.of(
                    annotated("sluice.dev/restore-from", "recorded"), null, Map.of(), false)
                .all())
        .isEmpty();
  }

  @Test
  void an_abort_goes_before_a_retry() {
    assertThat(both(null, Map.of(), false).pending()).contains(ABORT);
  }

  @Test
  void the_next_request_is_pending_once_the_first_is_answered() {
    assertThat(both(null, Map.of(ABORT, Answer.DELIVERED), false).pending()).contains(RETRY);
  }

  @Test
  void what_the_status_says_is_handled_is_not_pending() {
    assertThat(both(new HandledRequests("wrong image", "again"), Map.of(), false).pending())
        .isEmpty();
  }

  @Test
  void another_value_is_another_request() {
    assertThat(both(new HandledRequests("an earlier one", "again"), Map.of(), false).pending())
        .contains(ABORT);
  }

  @Test
  void what_is_there_when_a_resource_is_first_seen_counts_as_handled() {
    AnnotationRequests requests = both(null, Map.of(), true);

    assertThat(requests.pending()).isEmpty();
    assertThat(requests.handled()).isEqualTo(new HandledRequests("wrong image", "again"));
    assertThat(requests.events()).isEmpty();
  }

  @Test
  void a_request_is_handled_when_it_is_answered_and_not_before() {
    assertThat(both(null, Map.of(ABORT, Answer.DELIVERED), false).handled())
        .isEqualTo(new HandledRequests("wrong image", null));
  }

  @ParameterizedTest
  @EnumSource(Answer.class)
  void each_answer_is_told_once(Answer answer) {
    Map<Request, Answer> answers = Map.of(ABORT, answer);

    assertThat(both(null, answers, false).events())
        .singleElement()
        .extracting(StatusEvent::message)
        .asString()
        .startsWith("sluice.dev/abort=wrong image: ");
    assertThat(both(new HandledRequests("wrong image", null), answers, false).events()).isEmpty();
  }

  @Test
  void only_a_request_without_effect_is_a_warning() {
    assertThat(both(null, Map.of(ABORT, Answer.NOT_OPEN), false).events().get(0).warning())
        .isTrue();
    assertThat(both(null, Map.of(ABORT, Answer.DELIVERED), false).events().get(0).warning())
        .isFalse();
  }

  private static AnnotationRequests both(
      HandledRequests handled, Map<Request, Answer> answers, boolean firstSeen) {
    ConfigMap resource = annotated("sluice.dev/abort", "wrong image");
    resource.getMetadata().getAnnotations().put("sluice.dev/retry", "again");
    return AnnotationRequests.of(resource, handled, answers, firstSeen);
  }

  private static ConfigMap annotated(String key, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .addToAnnotations(key, value)
        .endMetadata()
        .build();
  }
}
