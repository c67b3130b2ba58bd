package dev.sluice.local.flink;

import java.util.ServiceLoader;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.runtime.rpc.RpcSystemLoader;

/**
 * Runs in Flink's processes: loads Pekko and Scala as all other classes of Flink, from the class
 * path. Flink's own loader copies their jar and gives them a class loader of their own, which knows
 * no class data archive: 2,000 classes are parsed and verified at each start.
 */
public final class SharedRpcSystemLoader implements RpcSystemLoader {

  /** Flink takes the loader with the lowest; its own has 0. */
  @Override
  public int getLoadPriority() {
    return -1;
  }

  @Override
  public RpcSystem loadRpcSystem(Configuration configuration) {
    return ServiceLoader.load(RpcSystem.class, getClass().getClassLoader()).iterator().next();
  }
}
