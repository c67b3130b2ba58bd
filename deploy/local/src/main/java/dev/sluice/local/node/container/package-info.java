/**
 * What a container is made of, as files and a process of this machine: its image, its volumes, its
 * environment, put together by Preparation.
 */
@NullMarked
package dev.sluice.local.node.container;

import org.jspecify.annotations.NullMarked;
