package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KnownResourcesTest {

  private static final ResourceRef ORDERS = resource("orders", "uid-1");
  private static final ResourceRef PAYMENTS = resource("payments", "uid-2");

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final KnownResources known = new KnownResources(clock);

  @BeforeEach
  void remember() {
    known.add(ORDERS);
    known.add(PAYMENTS);
  }

  @Test
  void one_that_went_without_a_word_is_told_once() {
    clock.forward(Duration.ofMinutes(5));
    assertThat(known.gone(Set.of(PAYMENTS)::contains)).containsExactly(ORDERS);

    clock.forward(Duration.ofMinutes(5));
    assertThat(known.gone(Set.of(PAYMENTS)::contains)).isEmpty();
  }

  @Test
  void a_new_instance_of_the_name_does_not_keep_the_one_before_it() {
    ResourceRef another = resource("orders", "uid-3");
    known.add(another);
    clock.forward(Duration.ofMinutes(5));

    assertThat(known.gone(Set.of(PAYMENTS, another)::contains)).containsExactly(ORDERS);
  }

  @Test
  void nobody_looks_more_often_than_each_five_minutes() {
    clock.forward(Duration.ofMinutes(5).minusMillis(1));

    assertThat(known.gone(resource -> false)).isEmpty();
  }

  @Test
  void one_that_was_forgotten_is_not_told() {
    known.remove(ORDERS);
    clock.forward(Duration.ofMinutes(5));

    assertThat(known.gone(resource -> false)).containsExactly(PAYMENTS);
  }

  private static ResourceRef resource(String name, String uid) {
    return new ResourceRef("kubernetes-1", "FlinkDeployment", "default", name, uid);
  }
}
