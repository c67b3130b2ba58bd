package dev.sluice.activities.kubernetes;

/**
 * A kind of custom resource, as the API server knows it.
 *
 * @param group API group, e.g. {@code flink.apache.org}
 * @param version API version inside the group
 * @param kind as in {@code kind}
 * @param plural as in URLs
 */
public record ResourceType(String group, String version, String kind, String plural) {

  /** As in {@code apiVersion}. */
  public String apiVersion() {
    return group + "/" + version;
  }

  /** The URL of one resource, without host. */
  String path(String namespace, String name) {
    return "/apis/%s/namespaces/%s/%s/%s".formatted(apiVersion(), namespace, plural, name);
  }
}
