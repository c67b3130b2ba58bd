package dev.sluice.local.cluster;

/**
 * The ports of one cluster on 127.0.0.1: {@value #COUNT} in a row, so that clusters with bases that
 * far apart run side by side.
 */
public record Ports(int base) {
  /** Where a cluster is when nothing else is said. Below the kernel's ephemeral ports. */
  public static final int DEFAULT_BASE = 17_000;

  public static final int COUNT = 10;

  public Ports {
    if (base < 1024 || base > 65_535 - COUNT) {
      throw new ClusterException(
          "SLUICE_PORT_BASE=%d is not a usable port: it must be between 1024 and %d"
              .formatted(base, 65_535 - COUNT));
    }
  }

  public int apiServer() {
    return base;
  }

  public int temporal() {
    return base + 1;
  }

  public int temporalUi() {
    return base + 2;
  }

  public int temporalHttp() {
    return base + 3;
  }

  public int temporalMetrics() {
    return base + 4;
  }

  public int etcdClient() {
    return base + 5;
  }

  public int etcdPeer() {
    return base + 6;
  }

  public int controllerManager() {
    return base + 7;
  }

  public int node() {
    return base + 8;
  }
}
