package dev.sluice.bootstrap;

/** How much Sluice's own loggers say. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE
}
