package dev.sluice.activities.flink;

/** What became of a savepoint's disposal. */
public sealed interface DisposalOperation {

  record InProgress() implements DisposalOperation {}

  record Completed() implements DisposalOperation {}

  /** Not deleted, or not all of it: Flink deletes the metadata first, which each call reads. */
  record Failed(FlinkCause cause) implements DisposalOperation {

    /**
     * What may be left.
     *
     * @param path as it was given to Flink
     */
    public Left left(String path) {
      String words = cause.summary();
      if (!words.contains("FileNotFoundException")) {
        return Left.PERHAPS_ALL;
      }
      if (words.contains("Cannot find meta data file")) {
        return Left.DIRECTORY;
      }
      return words.contains("Cannot find checkpoint or savepoint") && !path.endsWith("_metadata")
          ? Left.NOTHING
          : Left.PERHAPS_STATE;
    }
  }

  /** What a disposal that failed has left. */
  enum Left {
    /** Even its directory is gone. */
    NOTHING,
    /** Its directory is there, without metadata: whoever deleted that may not have gone on. */
    DIRECTORY,
    /** A file was not found; nothing is known of the others. */
    PERHAPS_STATE,
    /** The metadata may still be there. */
    PERHAPS_ALL
  }

  /** Never triggered there, or forgotten with the JobManager's memory. */
  record Unknown() implements DisposalOperation {}
}
