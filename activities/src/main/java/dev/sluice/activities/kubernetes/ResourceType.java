package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A kind of custom resource, as the API server knows it.
 *
 * @param group API group, e.g. {@code flink.apache.org}
 * @param version API version inside the group
 * @param kind as in {@code kind}
 * @param plural as in URLs
 */
public record ResourceType(String group, String version, String kind, String plural) {

  /** That of a resource, by what its class says. */
  public static ResourceType of(HasMetadata resource) {
    Class<? extends HasMetadata> kind = resource.getClass();
    return new ResourceType(
        HasMetadata.getGroup(kind),
        HasMetadata.getVersion(kind),
        HasMetadata.getKind(kind),
        HasMetadata.getPlural(kind));
  }

  public String apiVersion() {
    return group + "/" + version;
  }

  /** The same for a client, which then need not ask the API server for it. */
  public ResourceDefinitionContext definition() {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }

  /** The URL of one resource, without host. */
  String path(String namespace, String name) {
    return "/apis/%s/namespaces/%s/%s/%s".formatted(apiVersion(), namespace, plural, name);
  }
}
