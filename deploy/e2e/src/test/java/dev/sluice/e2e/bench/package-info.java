@NullMarked
package dev.sluice.local.bench;

import org.jspecify.annotations.NullMarked;
