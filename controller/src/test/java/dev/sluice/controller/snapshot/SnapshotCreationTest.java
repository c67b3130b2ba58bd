package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.snapshot.SnapshotCreation.Answer;
import dev.sluice.controller.support.UnreliableApiServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who reconciles is not held by an API server, or a webhook, that does not answer. */
class SnapshotCreationTest {

  private final UnreliableApiServer server = new UnreliableApiServer();
  private final SnapshotCreation creation = new SnapshotCreation(server.client());
  private final ExecutorService reconciliations = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    reconciliations.shutdownNow();
    server.close();
  }

  private static FlinkStateSnapshot snapshot(String namespace, String owner) {
    return RequestedSnapshot.ofTaken(
        JobKind.FLINK_DEPLOYMENT,
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(owner)
            .withUid("uid-" + owner)
            .build(),
        Savepoint.ofOperation(1, "s3://b/savepoint-1", "CANONICAL"),
        FlinkConfiguration.empty());
  }

  private Answer create(String namespace, String owner) {
    return creation.create(snapshot(namespace, owner));
  }

  @Test
  void of_all_threads_that_reconcile_two_at_most_wait_for_a_silent_API_server() {
    CountDownLatch answered = server.isSilent();
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String owner = "orders-" + i;
      waiting.add(CompletableFuture.supplyAsync(() -> create("shop", owner), reconciliations));
    }
    await().until(() -> server.requests().size() == 2);

    for (int i = 2; i < 50; i++) {
      assertThat(create("namespace-" + i, "orders-" + i)).isInstanceOf(Answer.Busy.class);
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    answered.countDown();
    assertThat(waiting).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Answer.Made.class));
    assertThat(create("shop", "orders-2")).isInstanceOf(Answer.Made.class);
  }

  @Test
  void one_that_is_refused_holds_no_other_one() {
    server.answers("shop", 403);

    assertThat(create("shop", "orders"))
        .isInstanceOfSatisfying(
            Answer.Failed.class,
            it -> assertThat(it.why()).contains("cannot make FlinkStateSnapshot shop/orders-"));
    assertThat(create("shop", "bills")).isInstanceOf(Answer.Failed.class);
    assertThat(server.requests()).hasSize(2);
  }
}
