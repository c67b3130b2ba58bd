@NullMarked
package dev.sluice.local.node.image;

import org.jspecify.annotations.NullMarked;
