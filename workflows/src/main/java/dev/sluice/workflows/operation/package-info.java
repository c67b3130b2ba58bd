/** The lane: one workflow id per resource, its signals, its progress and how it is handed over. */
@NullMarked
package dev.sluice.workflows.operation;

import org.jspecify.annotations.NullMarked;
