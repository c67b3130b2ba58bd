package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What became of a wait for a cluster. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = VersionReady.Ready.class, name = "Ready"),
  @JsonSubTypes.Type(value = VersionReady.NotReady.class, name = "NotReady"),
  @JsonSubTypes.Type(value = VersionReady.Missing.class, name = "Missing")
})
public sealed interface VersionReady {

  /**
   * Its JobManager answers, its TaskManagers are there, and it has the slots that its job needs.
   *
   * @param how one line: {@code 2 TaskManagers, 32 slots, in 14 s}
   */
  record Ready(String how) implements VersionReady {}

  /**
   * It is not ready at the deadline, or cannot become so.
   *
   * @param reason one of {@code ClusterNotReady}, {@code ImagePullFailed}, {@code PodFailed}
   * @param why in words
   */
  record NotReady(String reason, String why) implements VersionReady {}

  /**
   * One of its Deployments is gone, or is another one.
   *
   * @param why in words
   */
  record Missing(String why) implements VersionReady {}
}
