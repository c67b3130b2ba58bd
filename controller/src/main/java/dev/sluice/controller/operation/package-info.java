/** The lanes in Temporal: starting operations, sending signals, remembering the answers. */
@NullMarked
package dev.sluice.controller.operation;

import org.jspecify.annotations.NullMarked;
