/**
 * What workflows know and decide from: references, the state of a job, and what was observed. Plain
 * data that travels in Temporal's histories: never a spec, never a secret.
 */
@NullMarked
package dev.sluice.workflows.model;

import org.jspecify.annotations.NullMarked;
