package dev.sluice.activities.manifest.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.activities.manifest.common.PodResources;
import dev.sluice.activities.manifest.common.PodTemplateMerge;
import dev.sluice.api.common.Json;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pods that the spec's templates describe, before Flink's own decorations. */
final class PodTemplates {
  /** The container Flink runs in; others are the user's. */
  static final String MAIN_CONTAINER = "flink-main-container";

  private static final String BY_NAME = "kubernetes.operator.pod-template.merge-arrays-by-name";

  private final FlinkDeploymentSpec spec;
  private final KubernetesSerialization serialization;

  /**
   * Reads pods so that what is wrong is found with its path: empty items of lists and quantities,
   * which the client takes as any text, and which the API server refuses without naming the field.
   */
  static KubernetesSerialization strict() {
    return new KubernetesSerialization(
        new ObjectMapper()
            .setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .addMixIn(Quantity.class, Strict.class),
        true);
  }

  @JsonDeserialize(using = Quantities.class)
  private interface Strict {}

  private static final class Quantities extends Quantity.Deserializer {
    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      Quantity quantity = super.deserialize(parser, context);
      try {
        quantity.getNumericalAmount();
        return quantity;
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw JsonMappingException.from(parser, "no quantity", e);
      }
    }
  }

  PodTemplates(FlinkDeploymentSpec spec, KubernetesSerialization serialization) {
    this.spec = spec;
    this.serialization = serialization;
  }

  /**
   * Of JobManager pods; an empty pod when nothing is described.
   *
   * @throws IllegalArgumentException naming the field, when a template is no Pod
   */
  Pod jobManager() {
    return pod(
            "spec.jobManager",
            spec.jobManager().podTemplate(),
            ResourceConfiguration.jobManager(spec))
        .orElseGet(Pod::new);
  }

  /**
   * Of TaskManager pods; empty when nothing is described, and then Flink's JobManager needs none.
   *
   * @throws IllegalArgumentException naming the field, when a template is no Pod
   */
  Optional<Pod> taskManager() {
    return pod(
        "spec.taskManager",
        spec.taskManager().podTemplate(),
        ResourceConfiguration.taskManager(spec));
  }

  private Optional<Pod> pod(String field, @Nullable JsonNode own, PodResources resources) {
    JsonNode merged = merge().merge(spec.podTemplate(), own);
    ResourceRequirements others = resources.others();
    boolean nothingElse =
        others.getRequests().isEmpty()
            && others.getLimits().isEmpty()
            && others.getClaims().isEmpty();
    if (nothingElse) {
      return Optional.ofNullable(merged).map(node -> read(field, node));
    }
    return Optional.of(withResources(merged == null ? new Pod() : read(field, merged), others));
  }

  private PodTemplateMerge merge() {
    return spec.configuration().bool(BY_NAME).orElse(false)
        ? PodTemplateMerge.BY_NAME
        : PodTemplateMerge.BY_POSITION;
  }

  private Pod read(String field, JsonNode template) {
    try {
      return serialization.convertValue(template, Pod.class);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + ".podTemplate over spec.podTemplate is not a valid Pod" + wrongAt(Json.place(e)),
          e);
    }
  }

  private static String wrongAt(String place) {
    return place.isEmpty() ? "" : ": wrong at " + place;
  }

  private static Pod withResources(Pod pod, ResourceRequirements more) {
    return withMainContainer(
        pod,
        new ContainerBuilder(mainContainer(pod))
            .editOrNewResources()
            .addToRequests(more.getRequests())
            .addToLimits(more.getLimits())
            .addAllToClaims(more.getClaims())
            .endResources()
            .build());
  }

  /** The main container of the template, or an empty one of that name. */
  static Container mainContainer(Pod pod) {
    return Optional.ofNullable(pod.getSpec()).stream()
        .flatMap(podSpec -> podSpec.getContainers().stream())
        .filter(PodTemplates::isMain)
        .findFirst()
        .orElseGet(() -> new ContainerBuilder().withName(MAIN_CONTAINER).build());
  }

  /** The pod with that as its main container, behind all others, where Flink puts it. */
  static Pod withMainContainer(Pod pod, Container main) {
    return new PodBuilder(pod)
        .editOrNewSpec()
        .removeMatchingFromContainers(container -> MAIN_CONTAINER.equals(container.getName()))
        .addToContainers(main)
        .endSpec()
        .build();
  }

  private static boolean isMain(Container container) {
    return MAIN_CONTAINER.equals(container.getName());
  }
}
