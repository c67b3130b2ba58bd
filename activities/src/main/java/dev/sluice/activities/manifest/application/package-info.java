/** Renders the objects of a version of a FlinkApplication. Pure. */
@NullMarked
package dev.sluice.activities.manifest.application;

import org.jspecify.annotations.NullMarked;
