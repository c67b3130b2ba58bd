/** A pod's volumes as files and folders of this machine. */
@NullMarked
package dev.sluice.local.node.volume;

import org.jspecify.annotations.NullMarked;
