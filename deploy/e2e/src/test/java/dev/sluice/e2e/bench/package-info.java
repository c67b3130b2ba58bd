@NullMarked
package dev.sluice.e2e.bench;

import org.jspecify.annotations.NullMarked;
