@NullMarked
package dev.sluice.local.node;

import org.jspecify.annotations.NullMarked;
