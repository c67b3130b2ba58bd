package dev.sluice.activities.manifest.application;

import org.jspecify.annotations.Nullable;

/**
 * What the operator, and not the spec, says of the objects of every application, as the operator of
 * Lyft has it. None of it is part of a version's hash.
 *
 * @param ingressUrlFormat host of the Ingress, with <code>{{$jobCluster}}</code> for the name of
 *     the Service; null for no Ingress
 * @param containerNameFormat name of the containers, with {@code %s} for {@code jobmanager} or
 *     {@code taskmanager}; null for that alone
 * @param schedulerName of all pods; null for Kubernetes' own
 */
public record ApplicationOptions(
    @Nullable String ingressUrlFormat,
    @Nullable String containerNameFormat,
    @Nullable String schedulerName) {

  /** No Ingress, and the names of Kubernetes and Lyft's operator. */
  public static final ApplicationOptions NONE = new ApplicationOptions(null, null, null);
}
