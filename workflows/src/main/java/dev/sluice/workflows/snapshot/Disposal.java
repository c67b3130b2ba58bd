package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** What became of an attempt to delete the files of a savepoint. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Disposal.Done.class, name = "Done"),
  @JsonSubTypes.Type(value = Disposal.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = Disposal.InPart.class, name = "InPart"),
  @JsonSubTypes.Type(value = Disposal.Impossible.class, name = "Impossible"),
  @JsonSubTypes.Type(value = Disposal.LeftTo.class, name = "LeftTo")
})
public sealed interface Disposal {

  /**
   * They are gone.
   *
   * @param how one line
   */
  record Done(String how) implements Disposal {}

  /**
   * They are not, and another attempt may help.
   *
   * @param why in words
   * @param through another cluster than that of its job, which failed to; null when its own did, or
   *     none was asked
   */
  record Failed(String why, @Nullable String through) implements Disposal {

    /** Not because of another cluster. */
    public Failed(String why) {
      this(why, null);
    }
  }

  /**
   * Its metadata is gone, other files may not be. Flink finds none of them without it, so no other
   * attempt helps.
   *
   * @param why in words
   */
  record InPart(String why) implements Disposal {}

  /**
   * They are not, and must not be or cannot be deleted.
   *
   * @param why in words
   */
  record Impossible(String why) implements Disposal {}

  /**
   * They are somebody else's to delete; what becomes of them is not known here.
   *
   * @param whom one line
   */
  record LeftTo(String whom) implements Disposal {}
}
