/**
 * The custom resources people write and read: spec, status, conditions and reasons. Pure data, no
 * I/O.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
