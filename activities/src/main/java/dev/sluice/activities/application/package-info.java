/**
 * What the activities of a FlinkApplication do: its versions' clusters, their jobs, and its status.
 */
@NullMarked
package dev.sluice.activities.application;

import org.jspecify.annotations.NullMarked;
