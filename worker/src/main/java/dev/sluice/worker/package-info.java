/** The process that polls Temporal: it carries out workflows and activities. */
@NullMarked
package dev.sluice.worker;

import org.jspecify.annotations.NullMarked;
