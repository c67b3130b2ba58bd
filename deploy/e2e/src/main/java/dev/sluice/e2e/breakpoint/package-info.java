/** Breakpoints for steps: put on the worker's class path by the end-to-end tests, never shipped. */
@NullMarked
package dev.sluice.e2e.breakpoint;

import org.jspecify.annotations.NullMarked;
