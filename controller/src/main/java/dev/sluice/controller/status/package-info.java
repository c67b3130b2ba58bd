/**
 * What status and events of every kind say whose job Sluice runs: conditions, words, job status.
 */
@NullMarked
package dev.sluice.controller.status;

import org.jspecify.annotations.NullMarked;
