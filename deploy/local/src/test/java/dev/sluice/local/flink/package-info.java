@NullMarked
package dev.sluice.local.flink;

import org.jspecify.annotations.NullMarked;
