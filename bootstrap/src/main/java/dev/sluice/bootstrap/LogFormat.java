package dev.sluice.bootstrap;

/** How log lines look. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object a line, for log collectors. */
  JSON
}
