package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The end of one attempt to delete the files of a savepoint. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Disposal.Done.class, name = "Done"),
  @JsonSubTypes.Type(value = Disposal.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = Disposal.Left.class, name = "Left")
})
public sealed interface Disposal {

  /**
   * They are gone.
   *
   * @param how one line
   */
  record Done(String how) implements Disposal {}

  /**
   * They are not gone; another attempt may succeed.
   *
   * @param why in words
   */
  record Failed(String why) implements Disposal {}

  /**
   * Some or all of them stay: they are needed, or nothing can delete them.
   *
   * @param why in words
   */
  record Left(String why) implements Disposal {}
}
