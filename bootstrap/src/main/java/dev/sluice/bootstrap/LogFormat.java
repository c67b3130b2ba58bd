package dev.sluice.bootstrap;

/** How log lines look. */
public enum LogFormat {
  /** One line of text per record. */
  TEXT,
  /** One JSON object a line, for log collectors. */
  JSON
}
