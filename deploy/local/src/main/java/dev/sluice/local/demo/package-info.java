/** {@code ./sluice demo}: the main job shown on a terminal, and how it is followed there. */
@NullMarked
package dev.sluice.local.demo;

import org.jspecify.annotations.NullMarked;
