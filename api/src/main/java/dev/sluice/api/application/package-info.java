/** The FlinkApplication, with the fields of Lyft's operator and those of ours. */
@NullMarked
package dev.sluice.api.application;

import org.jspecify.annotations.NullMarked;
