@NullMarked
package dev.sluice.sample;

import org.jspecify.annotations.NullMarked;
