/**
 * What every Sluice process has: configuration that is checked before anything starts, the
 * connection to Temporal, health and metrics over HTTP, logs, and an orderly end.
 */
@NullMarked
package dev.sluice.bootstrap;

import org.jspecify.annotations.NullMarked;
