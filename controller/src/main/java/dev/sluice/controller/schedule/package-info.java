/** Schedules in Temporal: workflows that are started again and again. No kind is known here. */
@NullMarked
package dev.sluice.controller.schedule;

import org.jspecify.annotations.NullMarked;
