@NullMarked
package dev.sluice.local.os;

import org.jspecify.annotations.NullMarked;
