@NullMarked
package dev.sluice.local.node.status;

import org.jspecify.annotations.NullMarked;
