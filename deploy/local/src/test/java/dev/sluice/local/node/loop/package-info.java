@NullMarked
package dev.sluice.local.node.loop;

import org.jspecify.annotations.NullMarked;
