@NullMarked
package dev.sluice.local.demo;

import org.jspecify.annotations.NullMarked;
