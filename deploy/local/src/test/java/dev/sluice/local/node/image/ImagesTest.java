package dev.sluice.local.node.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.image.ImageState.Failed;
import dev.sluice.local.node.image.ImageState.Pulled;
import dev.sluice.local.node.image.ImageState.Unknown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  @TempDir Path dir;

  private Images images() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("images.json"),
            """
            {"images": {"sluice/controller:dev": {"command": ["java"], "env": {"A": "b"}}}}
            """);
    return new Images(
        List.of(new ProcessImages(file)),
        Files.writeString(dir.resolve("refused-images"), "refused/x\n"),
        Runnable::run,
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void aKnownImageIsPulledAndItsPodIsTold() throws Exception {
    Images images = images();
    AtomicInteger told = new AtomicInteger();
    assertThat(images.state("u", "sluice/controller:dev")).isEqualTo(new Unknown());

    images.pull("u", "sluice/controller:dev", told::incrementAndGet);

    assertThat(images.state("u", "sluice/controller:dev"))
        .isEqualTo(new Pulled(new ProcessImage(List.of("java"), Map.of("A", "b"))));
    assertThat(images.state("v", "sluice/controller:dev")).isEqualTo(new Unknown());
    assertThat(told).hasValue(1);
  }

  @Test
  void anUnknownImageIsSaidToBeSoWithWhatIsKnown() throws Exception {
    Images images = images();

    images.pull("u", "nginx", () -> {});

    assertThat(images.state("u", "nginx"))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.message()).contains("nginx").contains("sluice/controller:dev");
              assertThat(failed.nextTry()).isEqualTo(NOW.plusSeconds(1));
            });
  }

  @Test
  void eachFailureDoublesTheWaitUpToHalfAMinute() throws Exception {
    Images images = images();
    for (int i = 0; i < 8; i++) {
      images.pull("u", "refused/x", () -> {});
    }

    assertThat(images.state("u", "refused/x"))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.failures()).isEqualTo(8);
              assertThat(Duration.between(NOW, failed.nextTry())).isEqualTo(Duration.ofSeconds(30));
            });
  }

  @Test
  void aForgottenPodsImagesAreForgotten() throws Exception {
    Images images = images();
    images.pull("u", "nginx", () -> {});

    images.forget("u");

    assertThat(images.state("u", "nginx")).isEqualTo(new Unknown());
  }

  @Test
  void aCatalogueThatIsNotThereKnowsNothing() throws Exception {
    assertThat(new ProcessImages(dir.resolve("none")).known()).isEmpty();
    assertThat(new ProcessImages(dir.resolve("none")).pull("x")).isEmpty();
  }
}
