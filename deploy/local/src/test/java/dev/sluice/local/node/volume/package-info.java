@NullMarked
package dev.sluice.local.node.volume;

import org.jspecify.annotations.NullMarked;
