package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What became of the files of a savepoint. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Disposal.Done.class, name = "Done"),
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
   * Some or all of them stay: they are needed, or nothing can delete them.
   *
   * @param why in words
   */
  record Left(String why) implements Disposal {}
}
