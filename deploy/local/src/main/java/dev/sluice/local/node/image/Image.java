package dev.sluice.local.node.image;

import java.util.List;
import java.util.Map;

/** What stands behind an image name: something the local node can start as a process. */
public sealed interface Image permits ProcessImage, FlinkImage {

  /** What to run when the container has no {@code command}. */
  List<String> entryPoint();

  /** The image's own environment; the container's wins over it. */
  Map<String, String> env();
}
