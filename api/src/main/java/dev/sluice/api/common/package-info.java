/** What several kinds have in common: Flink configuration, jobs, operations and their status. */
@NullMarked
package dev.sluice.api.common;

import org.jspecify.annotations.NullMarked;
