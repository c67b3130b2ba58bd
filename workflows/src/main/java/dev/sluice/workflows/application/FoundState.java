package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.workflows.model.StateRef;

/** The newest state of a job that is lost or was ended. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FoundState.Found.class, name = "Found"),
  @JsonSubTypes.Type(value = FoundState.TooOld.class, name = "TooOld"),
  @JsonSubTypes.Type(value = FoundState.None.class, name = "None"),
  @JsonSubTypes.Type(value = FoundState.Alive.class, name = "Alive"),
  @JsonSubTypes.Type(value = FoundState.Unknown.class, name = "Unknown")
})
public sealed interface FoundState {

  /**
   * It is certain that there is no newer one, or that is the newest that anybody knows of.
   *
   * @param state a savepoint or checkpoint; empty for a job that has finished by itself
   * @param ageMs how old it is, in ms; -1 when that is not known
   * @param how where it was found: the JobManager, its high-availability metadata, the status, the
   *     storage
   */
  record Found(StateRef state, long ageMs, String how) implements FoundState {}

  /**
   * The newest one is older than allowed, or it is not known that it is not.
   *
   * @param path where it is
   * @param ageMs how old it is, in ms; -1 when that is not known
   */
  record TooOld(String path, long ageMs) implements FoundState {}

  /**
   * There is none.
   *
   * @param why in words
   */
  record None(String why) implements FoundState {}

  /**
   * The job is alive: nothing was lost.
   *
   * @param why in words
   */
  record Alive(String why) implements FoundState {}

  /**
   * It could not be found out until the deadline, or there may be a newer one than those that are
   * known, as after a stop whose outcome is not known.
   *
   * @param why in words, with what is known
   * @param forGood whether looking again does not help: only a person can tell
   */
  record Unknown(String why, boolean forGood) implements FoundState {

    /** It may be found out later. */
    public Unknown(String why) {
      this(why, false);
    }
  }
}
