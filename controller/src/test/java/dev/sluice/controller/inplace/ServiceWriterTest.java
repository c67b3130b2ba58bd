package dev.sluice.controller.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.ServiceMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServiceWriterTest {

  private static final ServiceMetadata DEPLOYED =
      new ServiceMetadata(Map.of("team", "a"), Map.of("dns", "x.example.com"));

  @Test
  void nothingIsWrittenWhenTheSpecSaysWhatIsThere() {
    assertThat(patch(service(null), DEPLOYED, DEPLOYED)).isEmpty();
  }

  @Test
  void whatChangesIsSetAndWhatIsLeftOutIsTakenAwayAndTheRestStays() {
    ServiceMetadata wanted = new ServiceMetadata(Map.of("tier", "1"), Map.of("dns", "y"));

    assertThat(patch(service(null), DEPLOYED, wanted))
        .contains(
            "{\"labels\":{\"team\":null,\"tier\":\"1\"},"
                + "\"annotations\":{\"dns\":\"y\","
                + "\"sluice.dev/in-place\":\"annotation/dns,label/tier\"}}");
  }

  @Test
  void whatWasSetInPlaceBeforeIsTakenAwayToo() {
    Service there = service("annotation/dns,label/team");

    assertThat(
            patch(
                there,
                new ServiceMetadata(Map.of(), Map.of()),
                new ServiceMetadata(Map.of(), Map.of())))
        .contains(
            "{\"labels\":{\"team\":null},"
                + "\"annotations\":{\"dns\":null,\"sluice.dev/in-place\":null}}");
  }

  @Test
  void afterAnUpgradeOnlyTheNoteIsLeftToBeTakenAway() {
    assertThat(patch(service("annotation/dns,label/team"), DEPLOYED, DEPLOYED))
        .contains("{\"labels\":{}," + "\"annotations\":{\"sluice.dev/in-place\":null}}");
  }

  @Test
  void whatWasWrittenNeedsNoSecondWrite() {
    ServiceMetadata wanted =
        new ServiceMetadata(Map.of("team", "a"), Map.of("dns", "x.example.com"));

    assertThat(
            patch(
                service("annotation/dns,label/team"),
                new ServiceMetadata(Map.of(), Map.of()),
                wanted))
        .isEmpty();
  }

  @Test
  void aLabelThatTheClusterIsFoundByIsNeverChanged() {
    ServiceMetadata wanted =
        new ServiceMetadata(
            Map.of(
                "app", "other", "type", "x", "app.kubernetes.io/managed-by", "helm", "team", "a"),
            Map.of("dns", "x.example.com"));

    assertThat(patch(service(null), DEPLOYED, wanted)).isEmpty();
  }

  private static Optional<String> patch(
      Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    return ServiceWriter.patch(there, deployed, wanted)
        .map(
            it -> {
              assertThat(it.get("resourceVersion")).isEqualTo("7");
              return Serialization.asJson(
                  new TreeMap<>(
                          Map.of("labels", it.get("labels"), "annotations", it.get("annotations")))
                      .descendingMap());
            });
  }

  private static Service service(String note) {
    ServiceBuilder there =
        new ServiceBuilder()
            .withNewMetadata()
            .withName("orders-rest")
            .withUid("u")
            .withResourceVersion("7")
            .addToLabels("app", "orders")
            .addToLabels("team", "a")
            .addToAnnotations("dns", "x.example.com")
            .addToAnnotations("cloud.example.com/ip", "theirs")
            .endMetadata();
    return note == null
        ? there.build()
        : there.editMetadata().addToAnnotations("sluice.dev/in-place", note).endMetadata().build();
  }
}
