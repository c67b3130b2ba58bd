/** Fetches the jars of session jobs from where their URIs say. */
@NullMarked
package dev.sluice.activities.artifact;

import org.jspecify.annotations.NullMarked;
