@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
