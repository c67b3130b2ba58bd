package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.MoreExecutors;
import dev.sluice.api.Annotations;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Against a real API server, with a ConfigMap as the resource. */
@ExtendWith(ApiServer.Extension.class)
class EventRecorderIT {

  private static final Instant THEN = Instant.parse("2026-11-21T09:59:58.250Z");

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private ApiServer api;
  private ConfigMap resource;
  private EventRecorder recorder;

  @BeforeEach
  void createResource(ApiServer server) {
    api = server;
    resource =
        api.client()
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(api.namespace())
                    .withName("orders")
                    .endMetadata()
                    .build())
            .create();
    recorder = recorder(api.client());
  }

  @Test
  void the_first_one_is_counted_once_and_dated() {
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));

    Event event = only();
    assertThat(event.getCount()).isEqualTo(1);
    assertThat(event.getLastTimestamp()).isEqualTo("2026-11-21T10:00:00Z");
    assertThat(event.getInvolvedObject().getUid()).isEqualTo(resource.getMetadata().getUid());
  }

  @Test
  void the_same_again_is_counted_on_the_one_that_is_there() {
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofMinutes(1));

    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));

    assertThat(only().getCount()).isEqualTo(2);
    assertThat(only().getFirstTimestamp()).isEqualTo("2026-11-21T10:00:00Z");
    assertThat(only().getLastTimestamp()).isEqualTo("2026-11-21T10:01:00Z");
  }

  @Test
  void other_words_are_another_event() {
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying 1."));
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying 2."));

    assertThat(events()).hasSize(2);
  }

  @Test
  void another_process_goes_on_counting() {
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));

    recorder(api.client()).record(resource, StatusEvent.normal("Submit", "Deploying."));

    assertThat(only().getCount()).isEqualTo(2);
  }

  @Test
  void what_happened_at_a_known_time_is_told_once() {
    recorder.record(resource, exception("boom 1", THEN));
    clock.forward(Duration.ofMinutes(1));
    recorder.record(resource, exception("boom 1", THEN));

    assertThat(only().getCount()).isEqualTo(1);
    assertThat(only().getLastTimestamp()).isEqualTo("2026-11-21T09:59:58Z");
  }

  @Test
  void what_happened_at_a_known_time_is_not_told_again_by_another_process() {
    recorder.record(resource, exception("boom 1", THEN));
    String version = only().getMetadata().getResourceVersion();

    recorder(api.client()).record(resource, exception("boom 1", THEN));

    assertThat(only().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void the_same_at_a_later_time_is_counted_with_its_newest_words() {
    recorder.record(resource, exception("boom 1", THEN));
    clock.forward(Duration.ofMinutes(1));
    Instant later = THEN.plusSeconds(30);

    recorder.record(resource, exception("boom 2", later));

    assertThat(only().getCount()).isEqualTo(2);
    assertThat(only().getMessage()).isEqualTo("boom 2");
    assertThat(only().getMetadata().getAnnotations())
        .containsEntry(Annotations.HAPPENED_AT, later.toString());
  }

  @Test
  void no_event_is_ever_read_which_the_controller_has_no_right_to() {
    Queue<String> methods = new ConcurrentLinkedQueue<>();
    try (KubernetesClient recorded = recording(methods)) {
      recorder(recorded).record(resource, StatusEvent.normal("Submit", "Deploying."));
      recorder(recorded).record(resource, StatusEvent.normal("Submit", "Deploying."));
    }

    assertThat(methods).containsExactly("POST", "POST", "PATCH", "PATCH");
  }

  @Test
  void one_that_has_expired_is_written_anew() {
    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));
    api.client().resource(only()).delete();
    clock.forward(Duration.ofHours(2));

    recorder.record(resource, StatusEvent.normal("Submit", "Deploying."));

    assertThat(only().getCount()).isEqualTo(1);
  }

  private static StatusEvent exception(String message, Instant at) {
    return new StatusEvent(true, "JobException", message, "boom", at);
  }

  private EventRecorder recorder(KubernetesClient client) {
    return new EventRecorder(client, clock, MoreExecutors.newDirectExecutorService());
  }

  private KubernetesClient recording(Queue<String> methods) {
    return new KubernetesClientBuilder()
        .withConfig(api.config())
        .withHttpClientBuilderConsumer(
            http ->
                http.addOrReplaceInterceptor(
                    "methods",
                    new Interceptor() {
                      @Override
                      public void before(
                          BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        methods.add(request.method());
                      }
                    }))
        .build();
  }

  private Event only() {
    assertThat(events()).hasSize(1);
    return events().get(0);
  }

  private List<Event> events() {
    return api.client()
        .v1()
        .events()
        .inNamespace(resource.getMetadata().getNamespace())
        .list()
        .getItems();
  }
}
