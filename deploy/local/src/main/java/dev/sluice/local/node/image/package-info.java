/**
 * What an image name means on the local node, where there are no containers: either a process of
 * our own ({@link dev.sluice.local.node.image.ProcessImage}) or a Flink home ({@link
 * dev.sluice.local.node.image.FlinkImage}).
 */
@NullMarked
package dev.sluice.local.node.image;

import org.jspecify.annotations.NullMarked;
